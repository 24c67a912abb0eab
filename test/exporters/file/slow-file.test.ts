import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openForAppending } from '../../../src/exporters/fd/descriptor.ts'
import { FdWriter } from '../../../src/exporters/fd/fd-writer.ts'
import { batchOf, numberedLines, sequenceOf } from '../../support/pipeline/batch.ts'
import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** A writer to a new file, and a clock that advances by `step` ms each time it is read. */
function slowFile(name: string) {
  const path = directory.path(name)
  const clock = { now: 0, step: 0 }
  const writer = new FdWriter({ name, open: () => openForAppending(path, 0o644) })
  writer.start(recordingHost(() => (clock.now += clock.step)))
  return { writer, clock, sequence: () => sequenceOf(readFileSync(path, 'utf8')) }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

test('a file with a write of over 20 ms is written in the thread pool until eight writes in a row take under 5 ms', async () => {
  const { writer, clock, sequence } = slowFile('pace')
  clock.step = 21
  expect(writer.export(batchOf(numberedLines(1)), undefined)).toEqual({ status: 'accepted' })
  const slow = writer.export(batchOf(numberedLines(1, 1)), undefined)
  expect(slow).toBeInstanceOf(Promise)
  expect(await slow).toEqual({ status: 'accepted' })
  clock.step = 0
  for (let seq = 2; seq < 10; seq++) {
    const answer = writer.export(batchOf(numberedLines(1, seq)), undefined)
    expect(answer).toBeInstanceOf(Promise)
    expect(await answer).toEqual({ status: 'accepted' })
  }
  expect(writer.export(batchOf(numberedLines(1, 10)), undefined)).toEqual({ status: 'accepted' })
  expect(sequence()).toEqual(numbers(11))
  writer.close()
})

test('exportSync waits for a write in flight instead of repeating it', async () => {
  const { writer, clock, sequence } = slowFile('in-flight')
  clock.step = 21
  void writer.export(batchOf(numberedLines(1)), undefined)
  const batch = batchOf(numberedLines(500, 1))
  const pending = writer.export(batch, undefined)
  clock.step = 0.001
  expect(writer.exportSync(batch, clock.now + 1_000, true)).toEqual({ status: 'accepted' })
  expect(sequence()).toEqual(numbers(501))
  expect(await pending).toEqual({ status: 'accepted' })
  expect(writer.exportSync(batchOf(numberedLines(1, 501)), clock.now + 1_000, true)).toEqual({ status: 'accepted' })
  expect(sequence()).toEqual(numbers(502))
  writer.close()
})

// Fault rows: 14
test('a non-blocking exportSync writes a slow file in the background without a turn of the event loop', () => {
  const { writer, clock, sequence } = slowFile('not-now')
  clock.step = 21
  void writer.export(batchOf(numberedLines(1)), undefined)
  for (let seq = 1; seq < 5; seq++) {
    const batch = batchOf(numberedLines(1, seq))
    expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable', accepted: 0 })
    // No await: the event loop does not turn, as in a burst.
    const until = performance.now() + 5_000
    while (writer.exportSync(batch, 0, false).status !== 'accepted' && performance.now() < until) continue
    expect(sequence()).toEqual(numbers(seq + 1))
  }
  writer.close()
})

test('exportSync does not poll a write in flight on each call of a burst', () => {
  const { writer, clock } = slowFile('seldom')
  clock.step = 21
  void writer.export(batchOf(numberedLines(1)), undefined)
  const batch = batchOf(numberedLines(1, 1))
  writer.exportSync(batch, 0, false)
  // The test clock does not advance, so exportSync does not poll, while the write completes in real time.
  clock.step = 0
  const until = performance.now() + 100
  while (performance.now() < until) expect(writer.exportSync(batch, 0, false)).toMatchObject({ status: 'retryable' })
  clock.now += 1
  expect(writer.exportSync(batch, 0, false)).toEqual({ status: 'accepted' })
  writer.close()
})

test('an export continues with the next piece after exportSync detects that a write is complete', async () => {
  const { writer, clock, sequence } = slowFile('goes-on')
  clock.step = 21
  void writer.export(batchOf(numberedLines(1)), undefined)
  const text = numberedLines(2, 1).join('')
  const bytes = Buffer.from(text)
  const cut = bytes.indexOf(10) + 1
  const long: EncodedBatch = {
    ...batchOf([text]),
    pieces: () => [bytes.subarray(0, cut), bytes.subarray(cut)].values(),
  }
  const pending = writer.export(long, undefined)
  // No turn of the event loop, as in a burst that meets a full queue.
  while (sequence().length < 2) writer.exportSync(long, 0, false)
  writer.exportSync(long, 0, false)
  expect(await pending).toEqual({ status: 'accepted' })
  expect(sequence()).toEqual(numbers(3))
  writer.close()
})

test('a write in flight completes after its writer is closed', async () => {
  const { writer, clock, sequence } = slowFile('closing')
  clock.step = 21
  void writer.export(batchOf(numberedLines(1)), undefined)
  const pending = writer.export(batchOf(numberedLines(1, 1)), undefined)
  writer.close()
  expect(await pending).toMatchObject({ status: 'unknown', accepted: 0 })
  while (sequence().length < 2) await new Promise((turn) => setImmediate(turn))
  expect(sequence()).toEqual(numbers(2))
})
