import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { childProcessLogger } from '../../src/entries/child-process.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import type { Stats } from '../../src/logger/types.ts'
import { hasEnded, writersOf } from '../exporters/process/writers.ts'
import { importOf, runModule } from '../support/processes/child.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { waitUntil as untilIn } from '../support/wait-until.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

/** Waits for up to 20 seconds, because the machine may be busy. */
const until = (holds: () => boolean): Promise<void> => untilIn(holds, 20_000)
const messagesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message)
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `message ${index}`)

test('when done() resolves, the file has all messages in order and the child process has exited', async () => {
  const path = directory.path('order.log')
  const before = writersOf(process.pid)
  const { log, done } = childProcessLogger({ path })
  for (const message of numbered(5_000)) log(message)
  await until(() => writersOf(process.pid).length > before.length)
  const children = writersOf(process.pid).filter((pid) => !before.includes(pid))
  const stats = await done({ timeoutMillis: 20_000 })
  expect(messagesOf(path)).toEqual(numbered(5_000))
  expect(stats).toMatchObject({ emitted: 5_000, written: 5_000, queued: 0, unknown: 0, dropped: { total: 0 } })
  expect(children.every(hasEnded)).toBe(true)
})

test('each onDone listener is called once with the final statistics, also when it is added after done()', async () => {
  const child = childProcessLogger({ path: directory.path('listeners.log') })
  const calls: [string, Stats][] = []
  child.log('one')
  expect(child.onDone((stats) => calls.push(['first', stats]))).toBe(child)
  child.onDone((stats) => calls.push(['second', stats]))
  expect(calls).toEqual([])
  const stats = await child.done()
  expect(await child.done()).toBe(stats)
  child.onDone((late) => calls.push(['late', late]))
  await until(() => calls.length === 3)
  expect(calls).toEqual([
    ['first', stats],
    ['second', stats],
    ['late', stats],
  ])
})

test('a message after done() is dropped and counted', async () => {
  const path = directory.path('late.log')
  const { log, done, stats } = childProcessLogger({ path })
  log('in time')
  expect(stats()).toMatchObject({ emitted: 1, written: 0 })
  await done()
  log('too late')
  expect(messagesOf(path)).toEqual(['in time'])
  expect(stats()).toMatchObject({ emitted: 2, written: 1, dropped: { total: 1, byReason: { shutdown: 1 } } })
})

test('values are written as attributes, and redacted values are not in the file', async () => {
  const path = directory.path('redacted.log')
  const child = childProcessLogger({ path }, { name: 'shop', redact: ['card.number'] })
  child.log('paid by {user}', { user: 'a', card: { number: '4111' } })
  child.log({ only: 'attributes' })
  await child.done()
  const lines = readFileSync(path, 'utf8')
  expect(lines).toContain('"message":"paid by a"')
  expect(lines).toContain('"otel.scope.name":"shop"')
  expect(lines).toContain('"number":"[REDACTED]"')
  expect(lines).toContain('"only":"attributes"')
  expect(lines).not.toContain('4111')
})

test('a child process that is killed is restarted, and no message is lost', async () => {
  const path = directory.path('killed.log')
  const before = writersOf(process.pid)
  const codes: string[] = []
  const { log, done } = childProcessLogger(
    { path, restart: { initialDelayMillis: 1, maxDelayMillis: 1 } },
    { onDiagnostic: ({ code }) => codes.push(code) },
  )
  const own = (): number[] => writersOf(process.pid).filter((pid) => !before.includes(pid) && !hasEnded(pid))
  log('message 0')
  await until(() => own().length === 1)
  process.kill(own()[0]!, 'SIGKILL')
  for (const message of numbered(2_000).slice(1)) log(message)
  await until(() => codes.includes('SLUICE_WRITER_FAILED'))
  log('after the death')
  const stats = await done({ timeoutMillis: 20_000 })
  // Messages that the killed process received and did not acknowledge are written again.
  expect([...new Set(messagesOf(path))]).toEqual([...numbered(2_000), 'after the death'])
  expect(stats.dropped.total + stats.unknown + stats.queued).toBe(0)
})

const program = (path: string, end: string): string => `
  ${importOf('{ childProcessLogger }', 'src/entries/child-process.ts')}
  const { log } = childProcessLogger({ path: ${JSON.stringify(path)} })
  for (let i = 0; i < 2_000; i++) log('message ' + i)
  ${end}`

describe('exit of a process that never calls done()', () => {
  test.each([
    ['it has nothing more to do', ''],
    ['process.exit', 'process.exit(0)'],
    ['an exception', "throw new Error('the end')"],
    ['SIGTERM', "setInterval(() => {}, 1_000); process.stdout.write('ready\\n')"],
  ])('all messages are in the file when a process ends without done(): %s', async (name, end) => {
    const path = directory.path(`${name.replaceAll(' ', '-')}.log`)
    const ended = await runModule(program(path, end), { ...(name === 'SIGTERM' && { signal: 'SIGTERM' }) })
    expect(ended.signal).toBe(name === 'SIGTERM' ? 'SIGTERM' : null)
    expect(messagesOf(path)).toEqual(numbered(2_000))
  })
})

test('invalid options throw a ConfigurationError', () => {
  expect(() => childProcessLogger({ path: 1 } as never)).toThrow(ConfigurationError)
  expect(() => childProcessLogger({}, { exporter: 1 } as never)).toThrow(ConfigurationError)
  expect(() => childProcessLogger({}, null as never)).toThrow('loggerOptions: must be an object with options, not null')
})
