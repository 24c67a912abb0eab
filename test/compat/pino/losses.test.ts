import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { SinkEvents } from '../../../src/compat/shared/destination/sink.ts'
import { openSink } from '../../../src/compat/shared/destination/open-sink.ts'
import { fileExporter } from '../../../src/entries/exporters.ts'
import { destination, multistream, pino, transport } from '../../../src/entries/pino.ts'
import { importOf, runChild } from '../../support/processes/child.ts'
import { thrower } from '../../support/values/hostile.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let folder: TemporaryDirectory
beforeEach(() => {
  folder = temporaryDirectory()
})
afterEach(() => folder.remove())

test('lines written to a transport after end() or close are counted and emitted as `drop` events', async () => {
  const path = folder.path('log')
  const thread = transport({ target: 'pino/file', options: { destination: path } })
  const dropped: string[] = []
  thread.on('drop', (line: string) => dropped.push(line)).on('error', () => {})
  thread.write('one\n')
  thread.end()
  expect(thread.write('two\n')).toBe(false)
  // `once` of node:events would reject on the `error` event, which comes first.
  await new Promise((resolve) => thread.once('close', resolve))
  thread.write('three\n')
  expect(dropped).toEqual(['two\n', 'three\n'])
  expect(thread.dropped).toBe(2)
  expect(readFileSync(path, 'utf8')).toBe('one\n')
})

test('a transport emits `finish` and `close` when all is written, and only `close` when it failed', async () => {
  const emitted: string[] = []
  for (const target of ['pino/file', folder.path('absent.mjs')]) {
    const thread = transport({ target, options: { destination: folder.path('log') } })
    for (const event of ['finish', 'close']) thread.on(event, () => emitted.push(event))
    thread.on('error', () => {})
    thread.write('one\n')
    thread.end()
    await new Promise((resolve) => thread.once('close', resolve))
  }
  expect(emitted).toEqual(['finish', 'close', 'close'])
})

test('a line that an exit handler logs after the thread has ended is reported as lost', async () => {
  const program = folder.path('program.mjs')
  const text = `
${importOf('{ transport }', 'src/entries/pino.ts')}
const thread = transport({ target: 'pino/file', options: { destination: ${JSON.stringify(folder.path('log'))} } })
process.on('exit', () => thread.write('bye\\n'))
thread.on('ready', () => process.exit())`
  writeFileSync(program, text)
  const { stderr } = await runChild({ args: [program] })
  expect(stderr).toContain('SLUICE_RECORDS_LOST: the thread of a transport exited: 1 line is lost')
})

/** Returns callbacks of a sink and the list of calls that they record. */
function recordedEvents(): { calls: string[]; diagnostics: string[]; events: SinkEvents } {
  const calls: string[] = []
  const diagnostics: string[] = []
  const events: SinkEvents = {
    onError: ({ message }) => calls.push(`failed: ${message.slice(0, 6)}`),
    onDrop: (data) => calls.push(`dropped: ${data.length}`),
    reportDiagnostic({ code, message }) {
      calls.push(code)
      diagnostics.push(`${code}: ${message.replace(/ \d+ /, ' ')}`)
    },
    onWrite: (bytes) => calls.push(`wrote: ${bytes}`),
    onOpen: () => {},
  }
  return { calls, diagnostics, events }
}

test('a closed reader of a synchronous destination is reported once, and every later line is dropped', async () => {
  const pipe = stallingPipe(folder.path('pipe'))
  const { calls, events } = recordedEvents()
  const sink = openSink(pipe.fd, { sync: true }, events)
  sink.write('one\n', 9)
  pipe.closeReader()
  sink.write('two\n', 9)
  sink.write('three\n', 9)
  expect(calls).toEqual(['wrote: 4', 'SLUICE_READER_CLOSED', 'dropped: 4', 'dropped: 6'])
  await sink.close()
})

test('a line that follows a partially written line starts on a new line', () => {
  const path = folder.path('pipe')
  const pipe = stallingPipe(path)
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const { calls, events } = recordedEvents()
  const sink = openSink(fd, { sync: true, retryEAGAIN: () => false }, events)
  sink.write(`${'x'.repeat(200_000)}\n`, 9)
  expect(calls).toEqual(['failed: EAGAIN', 'dropped: 200001'])
  sink.write('none\n', 9)
  const half = pipe.readAll()
  expect(half.length).toBeLessThan(200_000)
  sink.write('next\n', 9)
  sink.write('last\n', 9)
  expect(pipe.readAll()).toBe('\nnext\nlast\n')
  closeSync(fd)
  pipe.close()
})

test('`fd` of a destination with a queue is -1 because its file may be reopened', async () => {
  const to = destination(folder.path('log'))
  expect(to.fd).toBe(-1)
  to.end()
  await once(to, 'close')
})

test('lines dropped by a stalled transport are reported once while it runs, and their total when it ends', async () => {
  const target = folder.path('stalled.mjs')
  writeFileSync(
    target,
    `import { Writable } from 'node:stream'
export default () => new Writable({ write() {}, highWaterMark: 1 })`,
  )
  const program = folder.path('program.mjs')
  const text = `
${importOf('{ transport }', 'src/entries/pino.ts')}
const thread = transport({ target: ${JSON.stringify(target)} })
thread.on('ready', () => {
  const line = 'x'.repeat(1024 * 1024) + '\\n'
  for (let i = 0; i < 40; i++) thread.write(line)
  const lost = thread.dropped
  void thread.worker.terminate()
  thread.on('error', () => {}).on('close', () => console.log(lost, thread.dropped))
})`
  writeFileSync(program, text)
  const { stderr, stdout } = await runChild({ args: [program] })
  const reports = stderr.split('\n').filter((line) => line.startsWith('sluice: '))
  expect(reports).toEqual([
    expect.stringContaining('SLUICE_QUEUE_FULL: the thread of a transport accepts no more lines: 1 are lost so far'),
    expect.stringContaining('SLUICE_RECORDS_LOST: the thread of a transport exited: 40 lines are lost'),
  ])
  expect(stdout).toMatch(/^2\d 40\n$/)
})

test('two destinations of one descriptor end separately, and the last one closes the descriptor', async () => {
  const path = folder.path('log')
  const fd = openSync(path, 'a')
  const [one, other] = [destination(fd), destination(fd)]
  const closed: string[] = []
  one.on('close', () => closed.push('one'))
  other.on('close', () => closed.push('other'))
  one.write('1\n')
  other.write('2\n')
  one.end()
  await once(one, 'close')
  expect(closed).toEqual(['one'])
  expect(() => one.write('3\n')).toThrow(/closed/)
  other.write('4\n')
  other.flushSync()
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n4\n')
  other.end()
  await once(other, 'close')
  expect(() => fstatSync(fd)).toThrow(/EBADF/)
})

test('an error of opening a file is emitted to listeners that are added in the same turn', async () => {
  const to = destination(folder.path('missing/log'))
  const messages: string[] = []
  to.on('error', ({ message }: Error) => messages.push(message))
  await new Promise((resolve) => process.nextTick(resolve))
  expect(messages[0]).toContain('ENOENT')
  mkdirSync(folder.path('missing'))
  to.end()
  await once(to, 'finish')
})

test('two destinations of one descriptor both emit an error when it cannot be written', async () => {
  const errors = await errorsOfBoth(openSync('/dev/null', 'r'), () => {})
  expect(errors).toEqual([expect.stringContaining('EBADF'), expect.stringContaining('EBADF')])
})

test('two destinations of one file both emit an error when it cannot be opened', async () => {
  const errors = await errorsOfBoth(folder.path('missing/log'), () => mkdirSync(folder.path('missing')))
  expect(errors).toEqual([expect.stringContaining('ENOENT'), expect.stringContaining('ENOENT')])
})

/** Writes a line to one of two destinations of one file and returns both first errors. `repair` lets them close. */
async function errorsOfBoth(file: number | string, repair: () => void): Promise<string[]> {
  const both = [destination(file), destination(file)]
  const errors = both.map((each) => new Promise<Error>((resolve) => each.on('error', resolve)))
  both[1]!.write('x\n')
  const messages = (await Promise.all(errors)).map(({ message }) => message)
  repair()
  // `once` of node:events would reject on another `error` event.
  const closed = both.map((each) => new Promise((resolve) => each.on('close', resolve)))
  for (const each of both) each.destroy()
  await Promise.all(closed)
  return messages
}

/** Opens files until one has this descriptor number, and closes the others. */
function openAs(fd: number, path: string): void {
  const others: number[] = []
  for (let next = openSync(path, 'a'); next !== fd; next = openSync(path, 'a')) others.push(next)
  for (const other of others) closeSync(other)
}

const failedClose = ['SLUICE_WRITE_FAILED: a destination cannot close descriptor (EBADF); other code has closed it']

describe.each<[string, (path: string) => number | string, boolean]>([
  ['a synchronous destination of a descriptor', (path) => openSync(path, 'a'), true],
  ['a synchronous destination of a file', (path) => path, true],
  ['a queued destination of a descriptor', (path) => openSync(path, 'a'), false],
])('%s whose descriptor other code has closed', (_, dest, sync) => {
  test('reports a diagnostic when it is closed', async () => {
    const { diagnostics, events } = recordedEvents()
    const sink = openSink(dest(folder.path('log')), { sync }, events)
    closeSync(sink.fd)
    await sink.close()
    expect(diagnostics).toEqual(failedClose)
  })

  test('does not close another file that now has the same descriptor number', async () => {
    const { diagnostics, events } = recordedEvents()
    const sink = openSink(dest(folder.path('log')), { sync }, events)
    closeSync(sink.fd)
    openAs(sink.fd, folder.path('other'))
    await sink.close()
    closeSync(sink.fd)
    expect(diagnostics).toEqual(failedClose)
  })
})

test('reopen() of a synchronous destination succeeds after other code has closed its descriptor', async () => {
  const { diagnostics, events } = recordedEvents()
  const sink = openSink(folder.path('log'), { sync: true }, events)
  const { fd } = sink
  closeSync(fd)
  openAs(fd, folder.path('other'))
  sink.reopen(folder.path('second'))
  sink.write('one\n', 9)
  closeSync(fd)
  await sink.close()
  expect(readFileSync(folder.path('second'), 'utf8')).toBe('one\n')
  expect(diagnostics).toEqual(failedClose)
})

test('a program whose destination was closed by other code ends without an exception', async () => {
  const text = `
import { closeSync } from 'node:fs'
${importOf('{ destination }', 'src/entries/pino.ts')}
const to = destination({ dest: ${JSON.stringify(folder.path('log'))}, sync: true })
to.on('close', () => console.log('closed'))
closeSync(to.fd)
to.end()`
  writeFileSync(folder.path('program.mjs'), text)
  const { code, stdout, stderr } = await runChild({ args: [folder.path('program.mjs')] })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'closed\n' })
  expect(stderr).toContain('SLUICE_WRITE_FAILED: a destination cannot close descriptor')
})

test('`fatal` flushes the exporter of its logger if `flushSync` of its stream throws', () => {
  const path = folder.path('records')
  const exporter = fileExporter({ path, scheduledDelayMillis: 60_000 })
  const hooks = {
    // The record itself is not logged, because the exporter would flush it anyway.
    logMethod(this: unknown, args: unknown[], method: (...all: unknown[]) => void, level: number) {
      if (level < 60) method.apply(this, args)
    },
  }
  const stream = { write() {}, flushSync: thrower }
  const log = pino({ exporter, hooks }, stream)
  log.error('before')
  log.fatal('end')
  expect(readFileSync(path, 'utf8')).toContain('before')
})

test('a stream of a multistream that throws does not prevent the other streams from being flushed and ended', () => {
  const calls: string[] = []
  const good = { write() {}, flushSync: () => void calls.push('flushSync'), end: () => void calls.push('end') }
  const bad = { write() {}, flushSync: thrower, end: () => void calls.push('end of bad') }
  const combined = multistream([{ stream: good }, { stream: bad }])
  expect(() => combined.flushSync()).toThrow('no')
  expect(() => combined.end()).toThrow('no')
  expect(calls).toEqual(['flushSync', 'end of bad', 'flushSync', 'end'])
})
