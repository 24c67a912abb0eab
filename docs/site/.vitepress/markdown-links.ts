import { relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { linkTarget, repository } from './source-files.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/**
 * Makes the links of the repository those of the site. A link to a file that is not a page, such as a test, becomes its text, because
 * the address of the repository is unknown. A link to nothing fails the build.
 */
export function useRepositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { path, realPath } = env as { readonly path: string; readonly realPath?: string }
    const file = relative(repository, realPath ?? path)
    for (const { children } of tokens) if (children !== null) changeLinks(children, file)
  })
}

function changeLinks(tokens: Token[], file: string): void {
  let isRemoved = false
  for (const token of tokens) {
    if (token.type === 'link_close' && isRemoved) {
      token.tag = ''
      token.type = 'text'
      isRemoved = false
    }
    if (token.type !== 'link_open') continue
    const href = token.attrGet('href') ?? ''
    if (/^(?:[a-z]+:|#|\/)/.test(href)) continue
    const target = linkTarget(file, href)
    if (target.kind === 'missing')
      throw new Error(`${file}: the link ${href} leads to ${target.path}, which does not exist`)
    if (target.kind === 'page') token.attrSet('href', target.href)
    else {
      token.type = 'text'
      token.tag = ''
      token.content = ''
      isRemoved = true
    }
  }
}
