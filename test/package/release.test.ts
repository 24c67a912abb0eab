import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { repositoryOf, withAbsoluteLinks } from '../../scripts/release/repository.ts'
import { stagePackage } from '../../scripts/release/stage.ts'
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/cli.cjs')))
const url = 'https://code.example.test/team/sluice'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-release-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function linksOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
}

const isRelative = (link: string): boolean => !/^(?:[a-z]+:|#)/.test(link)
const pathOf = (link: string): string => link.replace(/#.*/, '')

describe('the package as `npm pack` creates it in a checkout', () => {
  let staged: string
  beforeAll(() => {
    staged = join(folder, 'packed')
    stagePackage(staged, undefined)
  })

  test.each(['README.md', 'llms.txt'])('contains everything that %s links to', (page) => {
    const links = linksOf(join(staged, page)).filter(isRelative).map(pathOf)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((link) => !existsSync(join(staged, link)))).toEqual([])
  })

  // Pages for contributors also link to files that only a checkout has, as are the pictures of the log viewer.
  test('contains the pages and examples that its guides link to', () => {
    const guides = globSync('docs/{*.md,guides/*.md}', { cwd: staged })
    expect(guides.length).toBeGreaterThan(15)
    const dead = guides.flatMap((guide) => {
      const links = linksOf(join(staged, guide)).filter(isRelative).map(pathOf).filter(Boolean)
      const targets = links.map((link) => normalize(join(dirname(guide), link)))
      return targets.filter((path) => !existsSync(join(staged, path))).map((path) => `${guide}: ${path}`)
    })
    expect(
      dead.filter((link) => !/: (?:(?:src|test|bench|docs\/api)\b|docs\/pictures\/viewer-)|results\.json$/.test(link)),
    ).toEqual([])
  })

  test('has a manifest without what only the checkout needs', () => {
    const packed = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(packed).toMatchObject({ name: 'sluice', exports: manifest.exports, engines: manifest.engines })
    expect(
      Object.keys(packed).filter((name) => /scripts|dependencies|workspaces|overrides|repository/i.test(name)),
    ).toEqual(['peerDependencies', 'peerDependenciesMeta'])
  })

  withBuild('contains the program sluice', () => {
    const file = join(folder, 'app.js')
    writeFileSync(file, `import pino from 'pino'\n`)
    const args = [join(staged, manifest.bin.sluice), 'codemod', 'pino', '--write', file]
    const output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect(output).toContain('1 files read, 1 changed, 0 places to look at')
    expect(readFileSync(file, 'utf8')).toBe(`import pino from 'sluice/pino'\n`)
  })
})

describe('the package as it is published', () => {
  let staged: string
  beforeAll(() => {
    staged = join(folder, 'published')
    stagePackage(staged, { url })
  })

  test('names the repository in its manifest', () => {
    expect(JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'))).toMatchObject({
      repository: { type: 'git', url: `git+${url}.git` },
      homepage: `${url}#readme`,
      bugs: { url: `${url}/issues` },
      publishConfig: { access: 'public', provenance: true },
    })
  })

  test.each(['README.md', 'llms.txt'])('has absolute links to existing files in %s', (page) => {
    const links = linksOf(join(staged, page))
    expect(links.filter(isRelative)).toEqual([])
    const files = links
      .filter((link) => link.startsWith(`${url}/blob/HEAD/`))
      .map((link) => pathOf(link).slice(`${url}/blob/HEAD/`.length))
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('contains no documentation, so that it is as small as possible', () => {
    const files = globSync('**/*', { cwd: staged }).filter((path) => statSync(join(staged, path)).isFile())
    expect(files.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'llms.txt',
      'package.json',
    ])
  })
})

describe('the address of the repository', () => {
  test.each([
    [{ PACKAGE_REPOSITORY: url }, url],
    [{ PACKAGE_REPOSITORY: `${url}.git` }, url],
    [{ PACKAGE_REPOSITORY: `${url}/` }, url],
    [{ GITHUB_SERVER_URL: 'https://code.example.test', GITHUB_REPOSITORY: 'team/sluice' }, url],
    [{ CI_PROJECT_URL: url }, url],
    [{ PACKAGE_REPOSITORY: url, CI_PROJECT_URL: 'https://other.example.test/a/b' }, url],
    [{ PACKAGE_REPOSITORY: '', GITHUB_REPOSITORY: 'team/sluice' }, undefined],
    [{}, undefined],
  ])('%j names %s', (environment, expected) => {
    expect(repositoryOf(environment)?.url).toBe(expected)
  })

  test.each([
    'team/sluice',
    'git@code.example.test:team/sluice.git',
    'http://code.example.test/a',
    'https://code.example.test/',
  ])('PACKAGE_REPOSITORY=%s is an error', (given) => {
    expect(() => repositoryOf({ PACKAGE_REPOSITORY: given })).toThrow('set PACKAGE_REPOSITORY')
  })

  test('relative links of pages become absolute, and other links stay the same', () => {
    const page =
      '[a](docs/a.md#b) ![chart](docs/c.svg) [b](#b) [c](https://example.test/c) [d](mailto:a@example.test) `[e](f)`'
    expect(withAbsoluteLinks(page, { url })).toBe(
      `[a](${url}/blob/HEAD/docs/a.md#b) ![chart](${url}/raw/HEAD/docs/c.svg) [b](#b) [c](https://example.test/c) ` +
        `[d](mailto:a@example.test) \`[e](${url}/blob/HEAD/f)\``,
    )
  })
})

describe('publishing', () => {
  test('the release fails before the upload if the repository is unknown', () => {
    const { status, stderr } = release({})
    expect(stderr).toBe('release: the repository is unknown; set PACKAGE_REPOSITORY to the HTTPS address of its page\n')
    expect(status).toBe(1)
  })

  test('`npm publish` in the checkout is rejected, but not its dry run', () => {
    const { status, stderr } = release({ npm_lifecycle_event: 'prepublishOnly', npm_config_dry_run: '' })
    expect(stderr).toContain('publish with `npm run release`')
    expect(status).toBe(1)
    expect(release({ npm_lifecycle_event: 'prepublishOnly', npm_config_dry_run: 'true' })).toEqual({
      status: 0,
      stderr: '',
    })
  })
})

/** Runs the release without the variables of the CI system. */
function release(environment: Readonly<Record<string, string>>): { status: number | null; stderr: string } {
  const { PACKAGE_REPOSITORY: _, GITHUB_REPOSITORY: _github, CI_PROJECT_URL: _gitlab, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/release.ts')], {
    env: { ...env, ...environment },
    encoding: 'utf8',
  })
  return { status, stderr }
}
