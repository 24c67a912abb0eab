import { beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { apiEntries } from '../../docs/site/api/entries.ts'
import { readApiIndex } from '../../docs/site/api/api-index.ts'
import { readDocComment } from '../../docs/site/api/doc-comment.ts'
import { acceptsNumber, isOptions, optionFacts, type OptionFacts } from '../../docs/site/api/option-facts.ts'
import type { TypeLinks } from '../../docs/site/api/type-links.ts'

/** The units that the pages list. */
const units =
  'UTF-16 units, attributes, bytes, characters, columns, exports, files, frames, keys, levels of nesting, lines, members, ms, pieces, ' +
  'records, seconds, spaces'

/** Options that accept a number without a unit, with the reasons. */
const withoutUnit: Readonly<Record<string, string>> = {
  'FdExporterOptions.fd': 'a file descriptor',
  'ProcessExporterOptions.fd': 'a file descriptor',
  'DestinationOptions.fd': 'a file descriptor',
  'DestinationOptions.dest': 'a file descriptor',
  'FileExporterOptions.mode': 'permission bits',
  'ProcessExporterOptions.mode': 'permission bits',
  'DestinationOptions.mode': 'permission bits',
  'DestinationOptions.maxLength': 'bytes or characters, as its text describes',
  'EnabledOptions.severityNumber': 'a severity number',
  'ProcessorEnabledOptions.severityNumber': 'a severity number',
  'ReadLogsOptions.level': 'a severity number',
  'RedactOptions.censor': 'a value that is written as it is',
  'RequestLogOptions.sample': 'a fraction',
  'LimitOptions.thereafter': 'an ordinal number',
  'HttpTransportOptions.port': 'a port',
}

const pages = new Map<string, string>()
let typeLinks: Readonly<Record<string, TypeLinks>>
let options: readonly { readonly name: string; readonly facts: OptionFacts }[]

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'api-pages-'))
  execFileSync(process.execPath, ['docs/site/api/main.ts', folder])
  for (const { page } of apiEntries) pages.set(page, readFileSync(join(folder, `${page}.md`), 'utf8'))
  typeLinks = JSON.parse(readFileSync(join(folder, 'type-links.json'), 'utf8')) as typeof typeLinks
  rmSync(folder, { recursive: true })
  const index = readApiIndex(process.cwd())
  const interfaces = apiEntries
    .flatMap((entry) => index.exportsOf(entry))
    .flatMap(({ items }) => items.filter(isOptions))
  options = interfaces.flatMap(({ name, members = [] }) =>
    members
      .filter(({ kind }) => kind === 'PropertySignature')
      .map((member) => ({
        name: `${name}.${member.name}`,
        facts: optionFacts(
          member,
          readDocComment(member.docComment, (link) => link),
        ),
      })),
  )
})

/** Returns the names that the report of an entry lists as its exports. */
function reportedExports(page: string): string[] {
  const report = readFileSync(`docs/api/${page}.api.md`, 'utf8')
  const declared = report.matchAll(
    /^export (?:default |abstract |\{ )?(?:(?:class|const|function|interface|type) )?([\w$]+)/gm,
  )
  return [...new Set(Array.from(declared, ([, name]) => name!))]
}

function anchorsOf(page: string): Set<string> {
  return new Set(Array.from(pages.get(page)!.matchAll(/^#{3,4} .*\{#(.+)\}$/gm), ([, anchor]) => anchor!))
}

/** Returns the text of a page without code. */
function proseOf(page: string): string {
  return pages
    .get(page)!
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/``.*?``|`[^`]*`/g, '')
}

describe('the API pages', () => {
  it('are one for each entry point of package.json', () => {
    const entryPoints = Object.keys(manifest.exports).filter((name) => name !== './package.json')
    const specifiers = entryPoints.map((name) => name.replace(/^\./, 'sluice'))
    expect(apiEntries.map(({ specifier }) => specifier).toSorted()).toEqual(specifiers.toSorted())
  })

  it.each(apiEntries)('have a heading with an anchor for each export of $specifier', ({ page }) => {
    const names = reportedExports(page)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !anchorsOf(page).has(name))).toEqual([])
  })

  it.each(apiEntries)('have no anchor twice: $specifier', ({ page }) => {
    const anchors = Array.from(pages.get(page)!.matchAll(/\{#(.+)\}$/gm), ([, anchor]) => anchor!)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
  })

  it.each(apiEntries)('contain no trace of a value without text: $specifier', ({ page }) => {
    expect(pages.get(page)).not.toMatch(/\{@|\[object \w+\]|\(undefined|#undefined|undefined\.md|`` ?``/)
    expect(proseOf(page)).not.toMatch(/<(?!!-- -->)|\{\{|: undefined$/m)
  })

  it.each(apiEntries)('link only to what exists: $specifier', ({ page }) => {
    const written = Array.from(pages.get(page)!.matchAll(/\]\(\.\/([\w-]+)\.md#([^)]+)\)/g))
    const ofTypes = Object.values(typeLinks[page]!).map((href) => /^\.\/([\w-]+)\.html#(.+)$/.exec(href)!)
    const links = [...written, ...ofTypes]
    expect(links.filter(([, target, anchor]) => !anchorsOf(target!).has(anchor!)).map(([link]) => link)).toEqual([])
    const guides = Array.from(pages.get(page)!.matchAll(/\]\(\.\.\/\.\.\/\.\.\/(.+?)\)/g), ([, path]) => path!)
    expect(guides.length).toBeGreaterThan(0)
    expect(guides.filter((path) => !existsSync(`docs/${path}`))).toEqual([])
  })

  it('link a type that another entry point exports to the page of that one', () => {
    expect(typeLinks['bole']).toMatchObject({ LogMethod: './bole.html#LogMethod', Redact: './sluice.html#Redact' })
    expect(typeLinks['winston']).toMatchObject({ RecordOptions: './sluice.html#LoggerOptions' })
  })

  it('list the type, unit, default and first version of an option', () => {
    expect(pages.get('sluice')).toContain(
      '{#LoggerOptions-exitTimeoutMillis}\n\n' +
        '**Type:** `number` · **Unit:** ms · **Default:** 2,000; 200 in the profile `lambda` · **Since:** 0.1.0\n',
    )
    expect(pages.get('exporters')).toMatch(/\{#FileExporterOptions-path\}\n\n\*\*Type:\*\* `string` · \*\*Required\*\*/)
    expect(pages.get('exporters')).toContain(
      "{#Layout-base}\n\n**Type:** `LayoutName` · **Default:** `'sluice'` · **Since:** 0.1.0\n",
    )
  })

  it('list only known units, of options and of other members', () => {
    const listed = [...pages.values()].flatMap((page) =>
      Array.from(page.matchAll(/\*\*Unit:\*\* (.+?)(?: · |$)/gm), ([, unit]) => unit!),
    )
    expect([...new Set(listed)].toSorted().join(', ')).toBe(units)
  })
})

describe('an option', () => {
  it('has a default if it is not required', () => {
    const missing = options.filter(({ facts }) => !facts.isRequired && facts.defaultValue === undefined)
    expect(options.length).toBeGreaterThan(400)
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('has a unit if it accepts a number, unless there is a reason', () => {
    const missing = options.filter(({ facts }) => acceptsNumber(facts.type) && facts.unit === undefined)
    expect(new Set(missing.map(({ name }) => name))).toEqual(new Set(Object.keys(withoutUnit)))
  })

  it('was added in a version that is not later than the version of the package', () => {
    const later = options.filter(
      ({ facts: { since } }) =>
        !/^\d+\.\d+\.\d+$/.test(since) || since.localeCompare(manifest.version, 'en', { numeric: true }) > 0,
    )
    expect(later.map(({ name, facts }) => `${name}: ${facts.since}`)).toEqual([])
  })
})
