import { relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { apiEntries } from '../api/entries.ts'
import { repository } from './source-files.ts'

/** Adds a line under the title of a guide, which links the pages of the entry points that it is about. These exist only on the site. */
export function useEntryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.before('inline', 'entry-links', ({ tokens, env, Token }) => {
    const { path, realPath } = env as { readonly path: string; readonly realPath?: string }
    const content = entryLinksOf(relative(repository, realPath ?? path))
    const end = tokens.findIndex(({ type, tag }) => type === 'heading_close' && tag === 'h1')
    if (content === undefined || end === -1) return
    const text = Object.assign(new Token('inline', '', 0), { content, children: [] })
    tokens.splice(end + 1, 0, new Token('paragraph_open', 'p', 1), text, new Token('paragraph_close', 'p', -1))
  })
}

/** Returns the line as Markdown; undefined if a file is not about an entry point. */
export function entryLinksOf(file: string): string | undefined {
  const entries = apiEntries.filter(({ guides }) => guides.includes(file.replaceAll('\\', '/')))
  if (entries.length === 0) return undefined
  return `API: ${entries.map(({ specifier, page }) => `[\`${specifier}\`](/api/${page}.md)`).join(', ')}`
}
