import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that `npm run docs` writes. */
export const siteFolder: string = fileURLToPath(new URL('../../docs/site/.vitepress/dist', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** The built site on a free port of this machine. */
export interface ServedSite {
  /** The address without a slash at the end, such as `http://127.0.0.1:40123`. */
  readonly url: string
  close(): void
}

/**
 * Serves the built documentation site.
 *
 * @throws an Error if the site is not built
 */
export async function serveSite(): Promise<ServedSite> {
  if (!existsSync(join(siteFolder, 'index.html')))
    throw new Error(`The site is not built: run \`npm run docs\` first. ${siteFolder} has no index.html`)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const found = fileOf(decodeURIComponent(pathname))
    const file = found ?? join(siteFolder, '404.html')
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns the path of the file that is served at an address, or undefined for an address that is answered with 404. */
function fileOf(pathname: string): string | undefined {
  const path = join(siteFolder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
  return path.startsWith(siteFolder) && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined
}
