import { readFileSync } from 'node:fs'
import { posix, relative } from 'node:path'
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress'
import type { TypeLinks } from '../api/type-links.ts'
import { repository } from './source-files.ts'

type CodeTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

type Token = ReturnType<MarkdownRenderer['parse']>[number]

const folder = 'docs/site/generated/api'

/** Links the names of types in the inline code of the pages of the API, and marks their blocks for `blockTypeLinks`. */
export function useTypeLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('type-links', ({ tokens, env }) => {
    const { path, realPath } = env as { readonly path: string; readonly realPath?: string }
    const file = relative(repository, realPath ?? path).replaceAll('\\', '/')
    if (posix.dirname(file) !== folder) return
    const page = posix.basename(file, '.md')
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'fence') token.info += ` api=${page}`
      if (token.type !== 'inline') continue
      if (tokens[index - 1]?.type === 'heading_open') removeSyntaxFromLabel(token)
      else linkInlineCode(token, linksOf(page), markdown.utils.escapeHtml)
    }
  })
}

/** Links the names of types in the blocks that `useTypeLinks` marks. */
export const blockTypeLinks: CodeTransformer = {
  name: 'type-links',
  span(node, line, column) {
    const [, page] = /\bapi=([\w-]+)/.exec(String(this.options.meta?.['__raw'])) ?? []
    const [child] = node.children
    if (page === undefined || child?.type !== 'text') return
    // The name that a block declares is that of its own section.
    const isDeclared = line === 1 && /^(?:abstract |class|interface|type)+$/.test(this.source.slice(0, column))
    if (isDeclared) return
    node.children = splitAtTypes(child.value, linksOf(page)).map(({ text, href }) => {
      const value = { type: 'text', value: text } as const
      return href === undefined ? value : { type: 'element', tagName: 'a', properties: { href }, children: [value] }
    })
  },
}

function linkInlineCode({ children }: Token, links: TypeLinks, escapeHtml: (text: string) => string): void {
  let isInLink = false
  for (const child of children ?? []) {
    if (child.type === 'link_open') isInLink = true
    if (child.type === 'link_close') isInLink = false
    if (child.type !== 'code_inline') continue
    const html = splitAtTypes(child.content, isInLink ? {} : links).map(({ text, href }) => {
      const escaped = escapeHtml(text)
      return href === undefined ? escaped : `<a href="${href}">${escaped}</a>`
    })
    child.type = 'html_inline'
    // Vue would read two braces as the start of an expression.
    child.content = `<code v-pre>${html.join('')}</code>`
  }
}

/** Removes the Markdown of the heading from the label of its anchor, which is read out. */
function removeSyntaxFromLabel({ children }: Token): void {
  const anchor = children?.find((child) => child.attrGet('aria-label') !== null)
  anchor?.attrSet('aria-label', anchor.attrGet('aria-label')!.replaceAll(/ ?\{#[^}]*\}|`/g, ''))
}

interface LinkedText {
  readonly text: string
  readonly href?: string | undefined
}

function splitAtTypes(code: string, links: TypeLinks): LinkedText[] {
  return code
    .split(/\b([A-Z]\w+)\b/)
    .filter((text) => text !== '')
    .map((text) => ({ text, href: Object.hasOwn(links, text) ? links[text] : undefined }))
}

let allLinks: Readonly<Record<string, TypeLinks>> | undefined

function linksOf(page: string): TypeLinks {
  allLinks ??= JSON.parse(readFileSync(posix.join(repository, folder, 'type-links.json'), 'utf8')) as typeof allLinks
  return allLinks![page]!
}
