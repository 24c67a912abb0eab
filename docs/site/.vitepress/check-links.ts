import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Page {
  readonly path: string
  readonly anchors: ReadonlySet<string>
  readonly links: readonly string[]
}

/**
 * Checks the links of a built site, and those of its Markdown to pages.
 *
 * @param folder - the folder with the pages
 * @throws Error with all links to pages or anchors that do not exist
 */
export function checkLinks(folder: string): void {
  const files = globSync('**/*.html', { cwd: folder })
  const pages = new Map(files.map((file) => [`/${file}`, pageIn(folder, file)]))
  const others = new Set(globSync('**/*.{txt,md,svg,webp}', { cwd: folder }).map((file) => `/${file}`))
  const dead = [...pages.values()].flatMap(({ path, links }) =>
    links.filter((link) => isDead(new URL(link, `site://host${path}`))).map((link) => `${path}: ${link}`),
  )
  for (const file of globSync('**/*.{md,txt}', { cwd: folder }))
    for (const [, link] of readFileSync(join(folder, file), 'utf8').matchAll(/\]\((\/[^)\s#]+)/g))
      if (isDead(new URL(link!, 'site://host'))) dead.push(`/${file}: ${link}`)
  if (dead.length > 0) throw new Error(`links to nothing:\n${dead.join('\n')}`)

  function isDead({ protocol, pathname, hash }: URL): boolean {
    if (protocol !== 'site:' || others.has(pathname)) return false
    const page = pages.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    return page === undefined || (hash !== '' && !page.anchors.has(decodeURIComponent(hash.slice(1))))
  }
}

function pageIn(folder: string, file: string): Page {
  const html = readFileSync(join(folder, file), 'utf8')
  return {
    path: `/${file}`,
    anchors: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => plain(id!))),
    links: [...html.matchAll(/<a\s[^>]*?\bhref="([^"]*)"/g)].map(([, href]) => plain(href!)),
  }
}

function plain(attribute: string): string {
  return attribute.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
