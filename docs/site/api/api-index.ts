import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiEntries, modelPath, type ApiEntry } from './entries.ts'
import { sourceText, type ApiItem, type ApiModel, type ExcerptToken } from './model-types.ts'

/** An export of an entry: declarations of one name, such as the overloads of a function. */
export interface ApiExport {
  readonly entry: ApiEntry
  readonly name: string
  readonly items: readonly [ApiItem, ...ApiItem[]]
  readonly isDefault: boolean
  /** The first export of the same declaration, whose entry's page documents it. Its name can be another one. */
  readonly home: { readonly entry: ApiEntry; readonly name: string }
}

/** The exports of all entries, and where references lead. */
export interface ApiIndex {
  exportsOf(entry: ApiEntry): readonly ApiExport[]
  /** Returns the export that a token of an entry refers to; undefined if no entry exports it. */
  targetOf(entry: ApiEntry, token: ExcerptToken): ApiExport | undefined
}

/** Reads the models of all entries. */
export function readApiIndex(repository: string): ApiIndex {
  const homes = new Map<string, ApiExport>()
  const exports = new Map<ApiEntry, ApiExport[]>()
  const declarations = new Map<ApiEntry, Map<string, ApiItem>>()
  for (const entry of apiEntries) {
    const model = JSON.parse(readFileSync(modelPath(repository, entry), 'utf8')) as ApiModel
    const items = model.members[0].members
    declarations.set(entry, new Map(items.map((item) => [referenceKey(item.canonicalReference), item])))
    const defaultName = defaultExportOf(repository, entry)
    const byName = Map.groupBy(items.filter(isExported), ({ name }) => name!)
    const found = [...byName].map(([name, [first, ...others]]): ApiExport => {
      const home = homes.get(declarationKey(first!)) ?? { entry, name }
      return { entry, name, items: [first!, ...others], isDefault: name === defaultName, home }
    })
    for (const each of found) if (isAtHome(each)) homes.set(declarationKey(each.items[0]), each)
    exports.set(entry, found)
  }
  return {
    exportsOf: (entry) => exports.get(entry)!,
    targetOf(entry, { canonicalReference }) {
      if (canonicalReference === undefined) return undefined
      const item = declarations.get(entry)!.get(referenceKey(canonicalReference))
      return item && homes.get(declarationKey(item))
    },
  }
}

/** Returns the address of an export, relative to the pages of the entries. */
export function addressOf({ home }: ApiExport, extension: 'md' | 'html'): string {
  return `./${home.entry.page}.${extension}#${home.name}`
}

/** Returns whether the page of an export's own entry documents it. */
export function isAtHome({ entry, home }: ApiExport): boolean {
  return home.entry === entry
}

function isExported({ canonicalReference }: ApiItem): boolean {
  return !canonicalReference.includes('!~')
}

/** Returns a reference without its overload: `sluice!createLogger:function(1)` is that of all overloads. */
function referenceKey(canonicalReference: string): string {
  return canonicalReference.replace(/\(\d+\)$/, '')
}

/** Identifies a declaration in all models, by its name in its file: entries can export it by another name. */
function declarationKey(item: ApiItem): string {
  const [, name = item.name] = /\b(?:class|const|function|interface|namespace|type) (\w+)/.exec(sourceText(item)) ?? []
  return `${item.fileUrlPath} ${name} ${item.kind}`
}

function defaultExportOf(repository: string, { file }: ApiEntry): string | undefined {
  return /^export default (\w+)/m.exec(readFileSync(join(repository, `dist/esm/${file}.d.ts`), 'utf8'))?.[1]
}
