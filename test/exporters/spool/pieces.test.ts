import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { FilePieces } from '../../../src/exporters/spool/pieces.ts'

test('lines that are too short are discarded without a copy', () => {
  const chunk = Buffer.from('{\n'.repeat(32 * 1024))
  const pieces = new FilePieces(0)
  // Warm up: the buffer of junk is full and the code is compiled.
  for (let i = 0; i < 20; i++) expect(pieces.push(chunk)).toEqual([])
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  pieces.push(chunk)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 1024)
  expect(pieces.end()).toMatchObject([{ kind: 'junk', end: 21 * chunk.length }])
})
