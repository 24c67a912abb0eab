import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { openSink, type SinkEvents } from '../../../src/bridges/destination/sink.ts'
import { destination, transport } from '../../../src/pino.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/pipes.ts'

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

/** What a sink tells, by kind. */
function heard(): { told: string[]; events: SinkEvents } {
  const told: string[] = []
  const events: SinkEvents = {
    failed: ({ message }) => told.push(`failed: ${message.slice(0, 6)}`),
    dropped: (data) => told.push(`dropped: ${data.length}`),
    tell: ({ code }) => told.push(code),
    wrote: (bytes) => told.push(`wrote: ${bytes}`),
    opened: () => {},
  }
  return { told, events }
}

test('that the reader of a synchronous destination has left is told once, and each line that it loses is dropped', async () => {
  const pipe = stallingPipe(folder.path('pipe'))
  const { told, events } = heard()
  const sink = openSink(pipe.fd, { sync: true }, events)
  sink.write('one\n', 9)
  pipe.closeReader()
  sink.write('two\n', 9)
  sink.write('three\n', 9)
  expect(told).toEqual(['wrote: 4', 'SLUICE_READER_GONE', 'dropped: 4', 'dropped: 6'])
  await sink.close()
})

test('what follows a line that could be written only in part stands in a line of its own', () => {
  const path = folder.path('pipe')
  const pipe = stallingPipe(path)
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const { told, events } = heard()
  const sink = openSink(fd, { sync: true, retryEAGAIN: () => false }, events)
  sink.write(`${'x'.repeat(200_000)}\n`, 9)
  expect(told).toEqual(['failed: EAGAIN', 'dropped: 200001'])
  sink.write('none\n', 9)
  const half = pipe.readAll()
  expect(half.length).toBeLessThan(200_000)
  sink.write('next\n', 9)
  sink.write('last\n', 9)
  expect(pipe.readAll()).toBe('\nnext\nlast\n')
  closeSync(fd)
  pipe.close()
})

test('a file behind a queue has no descriptor to be asked for, since it may be opened anew', async () => {
  const to = destination(folder.path('log'))
  expect(to.fd).toBe(-1)
  to.end()
  await once(to, 'close')
})
