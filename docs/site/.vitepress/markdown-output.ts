import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkTarget, pageOf } from './source-files.ts'

/** The line with the address of a page in `llms-full.txt`. */
const pageStart = /^(?=---\nurl: .+\n)/m

/**
 * Changes the links of the Markdown that is published with the pages, as in the pages.
 *
 * @param folder - the folder with the site
 * @param files - the Markdown files of the repository that became pages
 */
export function changePublishedMarkdown(folder: string, files: readonly string[]): void {
  const sources = new Map(files.map((file) => [`/${pageOf(file)}`, file]))
  for (const [page, file] of sources) {
    const path = join(folder, page)
    if (existsSync(path)) writeFileSync(path, withSiteLinks(readFileSync(path, 'utf8'), file))
  }
  const all = join(folder, 'llms-full.txt')
  const parts = readFileSync(all, 'utf8').split(pageStart)
  const changed = parts.map((part) => {
    const source = sources.get(/^---\nurl: (.+)\n/.exec(part)?.[1] ?? '')
    return source === undefined ? part : withSiteLinks(part, source)
  })
  writeFileSync(all, changed.join(''))
}

/**
 * Returns Markdown with the links of the site, and the texts of pictures in their place: their files have other names there.
 *
 * @param file - the path of its file in the repository
 */
export function withSiteLinks(markdown: string, file: string): string {
  const withTexts = markdown.replaceAll(/!\[([^\]]*)\]\((?![a-z]+:)[^)\s]+\)/g, '(Picture: $1)')
  return withTexts.replaceAll(
    /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g,
    (link, text: string, href: string) => {
      const target = linkTarget(file, href)
      // The lists of pages of a folder are not published as Markdown.
      if (target.kind === 'page') return `[${text}](${target.href.replace(/\/index\.md(?=#|$)/, '/index.html')})`
      return target.kind === 'file' ? text : link
    },
  )
}
