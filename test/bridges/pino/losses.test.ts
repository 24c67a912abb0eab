import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { transport } from '../../../src/pino.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/pipes.ts'

let folder: TemporaryDirectory
beforeEach(() => {
  folder = temporaryDirectory()
})
afterEach(() => folder.remove())

test('lines for a transport that is ending or gone are counted, and told as they are dropped', async () => {
  const path = folder.path('log')
  const thread = transport({ target: 'pino/file', options: { destination: path } })
  const dropped: string[] = []
  thread.on('drop', (line: string) => dropped.push(line)).on('error', () => {})
  thread.write('one\n')
  thread.end()
  expect(thread.write('two\n')).toBe(false)
  // `once` of events would hear the error first.
  await new Promise((resolve) => thread.once('close', resolve))
  thread.write('three\n')
  expect(dropped).toEqual(['two\n', 'three\n'])
  expect(thread.dropped).toBe(2)
  expect(readFileSync(path, 'utf8')).toBe('one\n')
})
