import { relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { repository } from './source-files.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Pages whose tables have a filter. */
const pages: readonly string[] = ['docs/reference/reliability.md', 'docs/reference/opentelemetry.md']

/**
 * Adds a filter before the first section with a table of facts, and folds the lists of tests in the cells. A table of facts is one whose
 * first column is `row` or `id`. Without JavaScript, all rows are shown.
 */
export function useFactTables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('fact-tables', ({ tokens, env, Token }) => {
    const { path, realPath } = env as { readonly path?: string; readonly realPath?: string }
    if (!pages.includes(relative(repository, realPath ?? path ?? ''))) return
    for (const token of tokens)
      if (token.type === 'inline') foldTests(token, (html) => htmlToken(Token, 'html_inline', html))
    const table = tokens.findIndex(({ type }, index) => type === 'table_open' && isOfFacts(tokens.slice(index)))
    const section = tokens.findLastIndex(
      ({ type, tag }, index) => index < table && type === 'heading_open' && tag === 'h2',
    )
    tokens.splice(section, 0, htmlToken(Token, 'html_block', '<TableFilter />\n'))
  })
}

function isOfFacts(table: readonly Token[]): boolean {
  return /^(?:row|id)$/.test(table.find(({ type }) => type === 'inline')?.content ?? '')
}

function htmlToken(
  TokenClass: new (type: string, tag: string, nesting: 0) => Token,
  type: string,
  html: string,
): Token {
  const token = new TokenClass(type, '', 0)
  token.content = html
  return token
}

/** Puts the list of tests of a cell into an element that is closed until it is selected. A reason or a note can follow the tests. */
function foldTests(token: Token, html: (html: string) => Token): void {
  const [, passes] = /^(Passes: )?\[[^\]]+\]\(\.\.\/\.\.\/test\//.exec(token.content) ?? [undefined, null]
  if (passes === null || token.children === null) return
  const tests = token.children.slice(passes === undefined ? 0 : 1)
  const lastFile = tests.findLastIndex(({ type, attrs }) => type === 'link_open' && attrs?.[0]?.[1].includes('/test/'))
  const end = tests.findIndex(({ type }, index) => type === 'html_inline' && index > lastFile)
  const rest = end === -1 ? [] : tests.splice(end)
  const files = tests.filter(({ type }) => type === 'link_open').length
  const summary = `${passes ?? ''}${passes === undefined ? 'Tests' : 'tests'} in ${files} ${files === 1 ? 'file' : 'files'}`
  token.children = [html(`<details><summary>${summary}</summary>`), ...tests, html('</details>'), ...rest]
}
