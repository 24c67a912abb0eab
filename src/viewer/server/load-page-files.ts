import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PageFiles } from './page-files.ts'

/** Reads the files of the page, which the build writes next to the program. */
export function loadPageFiles(folder: string = join(__dirname, '..', 'viewer')): PageFiles {
  const file = (name: string, type: string) => ({ type, content: readFileSync(join(folder, name), 'utf8') })
  return new PageFiles(
    new Map([
      ['/', file('index.html', 'text/html; charset=utf-8')],
      ['/page.js', file('page.js', 'text/javascript; charset=utf-8')],
      ['/page.css', file('page.css', 'text/css; charset=utf-8')],
      ['/icon.svg', file('icon.svg', 'image/svg+xml')],
    ]),
  )
}
