import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository, without a slash at its end: with one, twoslash ignores all errors. */
export const repository: string = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

/** The pages that are not in docs/, by their file in the repository. */
const otherPages: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
}

/**
 * Returns the path of the page that a Markdown file becomes; undefined if it is not a page.
 *
 * @param file - its path in the repository, such as `docs/guides/redaction.md`
 */
export function pageOf(file: string): string | undefined {
  if (Object.hasOwn(otherPages, file)) return otherPages[file]
  const [, page] =
    /^docs\/(?!site\/|api\/|examples\/)(.+\.md)$/.exec(file) ??
    /^docs\/site\/(?:pages|generated)\/(.+\.md)$/.exec(file) ??
    []
  return page
}

/** Returns the text of the first heading of a file of the repository. */
export function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(posix.join(repository, file), 'utf8')) ?? []
  if (title === undefined) throw new Error(`${file} has no heading`)
  return title.replaceAll('`', '')
}

/** Returns the page with the list of a folder's files, such as `decisions/index.md` for `docs/decisions`. Most folders have no such page. */
function folderPage(folder: string): string | undefined {
  const index = folder.replace(/^docs\//, 'docs/site/pages/') + '/index.md'
  return existsSync(posix.join(repository, index)) ? pageOf(index) : undefined
}

/** Where a link leads. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }

/**
 * Returns where a relative link of a Markdown file leads: to a page of the site, or to a file that only the repository has.
 *
 * @param file - the path of the Markdown file in the repository
 */
export function linkTarget(file: string, href: string): LinkTarget {
  const [path, anchor] = href.split(/(?=#)/) as [string, string?]
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)))
  const page = pageOf(target) ?? folderPage(target)
  if (!existsSync(posix.join(repository, target))) return { kind: 'missing', path: target }
  return page === undefined ? { kind: 'file', path: target } : { kind: 'page', href: `/${page}${anchor ?? ''}` }
}
