import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { FileFollower } from './file-follower.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** Returns a drop report, the shortest valid line. */
function dropReport(dropped: number): string {
  return `${JSON.stringify({ timestamp: dropped, level: 'warn', message: 'm', 'otel.scope.name': 'r', 'otel.event.name': 'sluice.records_dropped', attributes: { dropped } })}\n`
}

test('a file is read across renames, and files that were read are deleted', () => {
  const path = directory.path('app.log')
  const follower = new FileFollower(path)
  follower.poll()
  const first = openSync(path, 'a')
  writeSync(first, dropReport(1))
  follower.rename()
  // The writer has not reopened yet and continues in the renamed file.
  writeSync(first, dropReport(2))
  follower.poll()
  const second = openSync(path, 'a')
  follower.rename()
  writeSync(first, dropReport(3))
  follower.poll()
  expect(follower.report()).toMatchObject({ records: 3, torn: 0, wrong: [] })
  closeSync(first)
  closeSync(second)
  const third = openSync(path, 'a')
  writeSync(third, dropReport(4).slice(0, 30))
  follower.poll()
  expect([existsSync(`${path}.1`), existsSync(`${path}.2`)]).toEqual([false, false])
  writeSync(third, dropReport(4).slice(30))
  closeSync(third)
  expect(follower.end()).toMatchObject({ records: 4, torn: 0, wrong: [], runs: { r: { dropReports: 4 } } })
  expect(existsSync(path)).toBe(false)
})
