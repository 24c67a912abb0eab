import { expect, test } from '@jest/globals'
import type { ChildLoggerWork } from '../support/work/children.ts'
import { noCollectionFlags } from '../support/work/heap.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/children.ts', import.meta.url)
const MEBIBYTE = 1024 * 1024

test('a child logger with two strings that never logs allocates at most 200 bytes', async () => {
  const bytes = await countWork<ChildLoggerWork>(program, { argument: 'allocated', flags: noCollectionFlags })
  expect(bytes).toBeLessThanOrEqual(200)
  // An object with one member takes 32: less would mean that nothing was counted.
  expect(bytes).toBeGreaterThan(32)
})

test('a million short-lived child loggers leave less than 1 MiB on the heap', async () => {
  const bytes = await countWork<ChildLoggerWork>(program, { argument: 'left' })
  expect(Math.abs(bytes)).toBeLessThan(MEBIBYTE)
})
