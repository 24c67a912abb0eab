import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The programs that the site does not compile, by page. */
const unchecked: readonly string[] = []

test('all TypeScript blocks of the documentation are compiled, except those that are listed here', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'docs/site/pages/**/*.md'], {
    cwd: root,
    exclude: ['docs/api/**', 'docs/site/{node_modules,.vitepress,generated}/**'],
  })
  const found = pages.flatMap((page) => {
    const fences = readFileSync(join(root, page), 'utf8').matchAll(/^[ \t]*`{3,}[ \t]*(\S[^\n`]*)$/gm)
    // Only the language "ts", as it is, is compiled.
    const skipped = [...fences].filter(([, info]) =>
      /^(?:ts\b.*\bunchecked\b|ts\{|ts:|tsx|typescript|mts|cts)/i.test(info!),
    )
    return skipped.map(() => page)
  })
  expect(found.toSorted()).toEqual(unchecked)
})
