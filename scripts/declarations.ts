import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/**
 * Returns the names under which public declarations are declared: what entries export or import, because a namespace of an entry can
 * export it, and what other files call it.
 *
 * @param entries - the paths of the entries
 * @param files - the text of each declaration file, by path
 */
export function publicNamesOf(entries: readonly string[], files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = new Set<string>()
  const open = new Set(entries)
  for (const path of open) {
    const text = files.get(path)!
    for (const [local] of exportsOf(text)) names.add(local)
    for (const name of importsOf(text)) names.add(name)
    for (const source of wholeFilesOf(text)) open.add(posix.join(posix.dirname(path), source.replace(/\.js$/, '.d.ts')))
  }
  const renamed = [...files.values()].flatMap(exportsOf).filter(([local, exported]) => local !== exported)
  let size = -1
  while (size !== names.size) {
    size = names.size
    for (const [local, exported] of renamed) if (names.has(exported)) names.add(local)
  }
  return names
}

/** Returns the exports of a file: the name in the file, and the exported name. */
function exportsOf(text: string): [local: string, exported: string][] {
  return statementsOf(text).flatMap((statement): [string, string][] => {
    if (!/^Export(?!All)/.test(statement.type)) return []
    const { declaration } = statement as { declaration?: { type: string; name?: string } | null }
    if (declaration?.type === 'Identifier') return [[declaration.name!, 'default']]
    const specifiers = (statement['specifiers'] ?? []) as { local: { name: string }; exported: { name: string } }[]
    const taken = specifiers.map(({ local, exported }): [string, string] => [local.name, exported.name])
    return taken.concat(namesOf(statement).map((name) => [name, name]))
  })
}

function importsOf(text: string): string[] {
  return statementsOf(text).flatMap((statement) => {
    const specifiers = statement.type === 'ImportDeclaration' ? (statement['specifiers'] as Node[]) : []
    return specifiers.map(({ imported, local }) => ((imported ?? local) as { name: string }).name)
  })
}

/** Returns the files whose exports are all exported again: by `export *` or as a namespace. */
function wholeFilesOf(text: string): string[] {
  return statementsOf(text)
    .filter(({ type, ...statement }) => {
      const specifiers = (statement['specifiers'] ?? []) as Node[]
      return type === 'ExportAllDeclaration' || specifiers.some((one) => one.type === 'ImportNamespaceSpecifier')
    })
    .map((statement) => (statement['source'] as { value: string }).value)
    .filter((source) => source.startsWith('.'))
}

/** Removes the comments of top-level declarations without a public name, because editors never show them to users. */
export function withoutInternalComments(text: string, publicNames: ReadonlySet<string>): string {
  let result = ''
  let from = 0
  for (const statement of statementsOf(text)) {
    const names = namesOf(statement)
    const isInternal = names.length > 0 && !names.some((name) => publicNames.has(name))
    const part = text.slice(from, statement.end)
    result += isInternal ? part.replaceAll(/^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/\n/gm, '') : part
    from = statement.end
  }
  return result + text.slice(from)
}

function statementsOf(text: string): readonly Node[] {
  return (parseAst(text, { lang: 'dts' }) as unknown as { body: Node[] }).body
}

/** Returns the names that a statement declares. */
function namesOf(statement: Node): string[] {
  const declaration = (statement['declaration'] ?? statement) as Node
  const declared = (declaration['declarations'] ?? [declaration]) as Node[]
  return declared.flatMap(({ id }) =>
    (id as Node | null)?.type === 'Identifier' ? [(id as { name?: string }).name!] : [],
  )
}
