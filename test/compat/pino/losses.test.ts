import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { openSink, type SinkEvents } from '../../../src/compat/shared/destination/sink.ts'
import { destination, transport } from '../../../src/entries/pino.ts'
import { importOf, runChild } from '../../support/processes/child.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

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

test('a transport that has written everything says `finish`, then `close`, and one that failed only the latter', async () => {
  const said: string[] = []
  for (const target of ['pino/file', folder.path('absent.mjs')]) {
    const thread = transport({ target, options: { destination: folder.path('log') } })
    for (const event of ['finish', 'close']) thread.on(event, () => said.push(event))
    thread.on('error', () => {})
    thread.write('one\n')
    thread.end()
    await new Promise((resolve) => thread.once('close', resolve))
  }
  expect(said).toEqual(['finish', 'close', 'close'])
})

test('a line that a handler of the process’s end logs when the thread has ended is told', async () => {
  const program = folder.path('program.mjs')
  const text = `
${importOf('{ transport }', 'src/entries/pino.ts')}
const thread = transport({ target: 'pino/file', options: { destination: ${JSON.stringify(folder.path('log'))} } })
process.on('exit', () => thread.write('bye\\n'))
thread.on('ready', () => process.exit())`
  writeFileSync(program, text)
  const { stderr } = await runChild({ args: [program] })
  expect(stderr).toContain('SLUICE_RECORDS_LOST: a transport has ended: 1 lines did not reach it')
})

/** What a sink tells, by kind. */
function heard(): { told: string[]; events: SinkEvents } {
  const told: string[] = []
  const events: SinkEvents = {
    failed: ({ message }) => told.push(`failed: ${message.slice(0, 6)}`),
    dropped: (data) => told.push(`dropped: ${data.length}`),
    reportDiagnostic: ({ code }) => told.push(code),
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

test('what a stalled transport does not take is told once, however many lines there are, and all of it at the end', async () => {
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
  const told = stderr.split('\n').filter((line) => line.startsWith('sluice: '))
  expect(told).toEqual([
    expect.stringContaining("SLUICE_QUEUE_FULL: a transport's thread takes no more lines: 1 were lost so far"),
    expect.stringContaining('SLUICE_RECORDS_LOST: a transport has ended: 40 lines did not reach it'),
  ])
  expect(stdout).toMatch(/^2\d 40\n$/)
})

test('two destinations of one descriptor end each by itself, and the last of them closes it', async () => {
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

test('what fails as a file is opened is heard by whoever begins to listen in the same turn', async () => {
  const to = destination(folder.path('missing/log'))
  const heard: string[] = []
  to.on('error', ({ message }: Error) => heard.push(message))
  await new Promise((resolve) => process.nextTick(resolve))
  expect(heard[0]).toContain('ENOENT')
  mkdirSync(folder.path('missing'))
  to.end()
  await once(to, 'finish')
})

test('two destinations of one descriptor each hear that it cannot be written', async () => {
  const errors = await heardByBoth(openSync('/dev/null', 'r'), () => {})
  expect(errors).toEqual([expect.stringContaining('EBADF'), expect.stringContaining('EBADF')])
})

test('so do two destinations of one file', async () => {
  const errors = await heardByBoth(folder.path('missing/log'), () => mkdirSync(folder.path('missing')))
  expect(errors).toEqual([expect.stringContaining('ENOENT'), expect.stringContaining('ENOENT')])
})

/** The first errors of two destinations of one place, to one of which a line is written. `mend`: has them close soon. */
async function heardByBoth(place: number | string, mend: () => void): Promise<string[]> {
  const both = [destination(place), destination(place)]
  const errors = both.map((each) => new Promise<Error>((resolve) => each.on('error', resolve)))
  both[1]!.write('x\n')
  const messages = (await Promise.all(errors)).map(({ message }) => message)
  mend()
  // `once` of events would hear another error first.
  const closed = both.map((each) => new Promise((resolve) => each.on('close', resolve)))
  for (const each of both) each.destroy()
  await Promise.all(closed)
  return messages
}
