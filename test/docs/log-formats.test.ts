import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { formatNames } from '../../src/read/query/format-names.ts'

const page = readFileSync(new URL('../../docs/reference/log-formats.md', import.meta.url), 'utf8')

test('the page about log formats lists each format once', () => {
  const section = page.slice(page.indexOf('## Formats'), page.indexOf('## Containers'))
  const listed = Array.from(section.matchAll(/^\| `([a-z]+)` /gm), ([, name]) => name!)
  expect(listed.toSorted()).toEqual([...formatNames].toSorted())
})
