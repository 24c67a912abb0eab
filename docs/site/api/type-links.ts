import { addressOf, type ApiIndex } from './api-index.ts'
import type { ApiEntry } from './entries.ts'
import type { ApiItem, ExcerptToken } from './model-types.ts'

/** The addresses of types by their names in the code of a page, relative to the pages of the entries. */
export type TypeLinks = Readonly<Record<string, string>>

/** Returns the addresses of all exported types that the page of an entry can name. */
export function typeLinks(index: ApiIndex, entry: ApiEntry): TypeLinks {
  const links = new Map<string, string>()
  const exports = index.exportsOf(entry)
  for (const each of exports) if (isTypeName(each.name)) links.set(each.name, addressOf(each, 'html'))
  for (const token of exports.flatMap(({ items }) => items.flatMap(tokensOf))) {
    const name = token.text.split('.').at(-1)!
    const target = isTypeName(name) && !links.has(name) ? index.targetOf(entry, token) : undefined
    if (target !== undefined) links.set(name, addressOf(target, 'html'))
  }
  return Object.fromEntries(links)
}

/** Returns whether a name is written as those of types are. Others are also words, and names of members and levels. */
function isTypeName(name: string): boolean {
  return /^[A-Z]\w*[a-z]\w*$/.test(name)
}

function tokensOf({ excerptTokens = [], members = [] }: ApiItem): ExcerptToken[] {
  return [...excerptTokens, ...members.flatMap(tokensOf)]
}
