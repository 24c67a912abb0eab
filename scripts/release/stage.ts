import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestFields, withAbsoluteLinks, type Repository } from './repository.ts'

const root = join(import.meta.dirname, '../..')

/** The fields of package.json that are used only in a checkout. */
const internalFields = ['scripts', 'devDependencies', 'workspaces', 'overrides', 'allowScripts']

/**
 * Writes the files of `npm pack` to a directory, with a package.json for publication. With a repository, package.json contains its
 * addresses, the links of its two overview pages are absolute, and the documentation is omitted.
 */
export function stagePackage(directory: string, repository: Repository | undefined): void {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory]
  const archive = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim()
  execFileSync('tar', ['--extract', '--gzip', '--strip-components', '1', '--file', archive], { cwd: directory })
  rmSync(join(directory, archive))

  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  for (const name of internalFields) delete manifest[name]
  if (repository !== undefined) {
    Object.assign(manifest, manifestFields(repository))
    manifest.files = manifest.files.filter((name) => !isDocumentation(name))
    for (const name of ['README.md', 'llms.txt']) {
      const path = join(directory, name)
      writeFileSync(path, withAbsoluteLinks(readFileSync(path, 'utf8'), repository))
    }
    const pages = globSync('*.md', { cwd: directory }).filter(isDocumentation)
    for (const name of [...pages, 'docs']) rmSync(join(directory, name), { recursive: true, force: true })
  }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

interface Manifest extends Record<string, unknown> {
  files: string[]
}

function isDocumentation(name: string): boolean {
  return name.startsWith('docs/') || (name.endsWith('.md') && name !== 'README.md')
}
