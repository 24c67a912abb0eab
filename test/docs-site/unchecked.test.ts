import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The programs that the site does not compile, by page. */
const unchecked: readonly string[] = []

test('all ts blocks of the documentation are compiled, except those that are listed here', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/api/**', 'docs/site/**'] })
  const found = pages.flatMap((page) => {
    const blocks = readFileSync(join(root, page), 'utf8').match(/^```ts\b.*\bunchecked\b/gm) ?? []
    return blocks.map(() => page)
  })
  expect(found.toSorted()).toEqual(unchecked)
})
