import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Console } from 'node:console'
import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { captureConsole } from '../../src/entries/console.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { hooksOf } from '../../src/console/hooks.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { keptConsole, TextKeeper } from '../support/processes/consoles.ts'
import { lineKeeper } from '../support/files/line-keeper.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const problemsOf = (options: object): unknown[] => {
  try {
    void captureConsole(options).release()
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => [code, path])
    throw error
  }
}
const memberOf = (target: object): unknown => Object.getOwnPropertyDescriptors(target)
const loggerTo = (keeper = lineKeeper()) => createLogger({ exporter: keeper, handleExit: false })

describe('release', () => {
  test.each(['passthrough', 'records'] as const)('gives the console back exactly as it was (%s)', async (mode) => {
    const kept = keptConsole()
    const before = memberOf(kept.console)
    const capture = kept.capture(mode === 'records' ? { mode, logger: loggerTo() } : { stream: new TextKeeper() })
    expect(memberOf(kept.console)).not.toEqual(before)
    await capture.release()
    expect(memberOf(kept.console)).toEqual(before)
  })

  test('leaves what somebody has put over it, which then prints as before', async () => {
    const keeper = lineKeeper()
    const kept = keptConsole()
    const capture = kept.capture({ logger: loggerTo(keeper) })
    const { log } = kept.console
    const over = (...args: unknown[]) => log('over', ...args)
    kept.console.log = over
    kept.console.log('first')
    await capture.release()
    kept.console.log('second')
    expect(kept.console.log).toBe(over)
    expect(keeper.lines()).toHaveLength(1)
    expect(kept.stdout.text).toBe('over second\n')
  })

  test('writes what waits before what is printed after it', async () => {
    const kept = keptConsole()
    const capture = kept.capture({ stream: kept.stdout, scheduledDelayMillis: 60_000 })
    kept.console.log('first')
    expect(kept.stdout.text).toBe('')
    const released = capture.release()
    kept.console.log('second')
    expect(kept.stdout.text).toBe('first\nsecond\n')
    expect(await released).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(capture.release()).toBe(released)
  })
})

test('of two captures the later one has the console, and gives it back, in whichever order they end', () => {
  for (const first of [0, 1]) {
    const kept = keptConsole()
    const before = memberOf(kept.console)
    const outer = lineKeeper()
    const inner = new TextKeeper()
    const captures = [kept.capture({ logger: loggerTo(outer) }), kept.capture({ stream: inner })]
    kept.console.log('to the inner')
    void captures[first]!.release()
    kept.console.log('to the one that is left')
    void captures[1 - first]!.release()
    const [toOuter, toInner] = [outer.lines().length, inner.lines.length]
    expect([toOuter, toInner]).toEqual(first === 0 ? [0, 2] : [1, 1])
    expect(memberOf(kept.console)).toEqual(before)
  }
})

test("of a console that is not Node's the methods are replaced, and come back", async () => {
  const printed: unknown[][] = []
  class Tester extends Console {
    override log(...args: unknown[]): void {
      printed.push(args)
    }
  }
  const { captureWith } = await import('../../src/create/capture-console.ts')
  const target = new Tester({ stdout: new TextKeeper() })
  const before = memberOf(target)
  const stream = new TextKeeper()
  const capture = captureWith({ stream }, hooksOf(target))
  target.group('group')
  target.log('%s', 1)
  target.count()
  await capture.release()
  target.log('after')
  expect(stream.text).toBe('group\n  1\n  default: 1\n')
  expect(printed).toEqual([['after']])
  expect(memberOf(target)).toEqual(before)
})

test('what waits is written at a size, and when that is asked for', async () => {
  const kept = keptConsole()
  const stream = new TextKeeper()
  const capture = kept.capture({ stream, batchBytes: 1_000, scheduledDelayMillis: 60_000 })
  for (let i = 0; i < 9; i++) kept.console.log('x'.repeat(99))
  expect(stream.text).toBe('')
  kept.console.log('x'.repeat(99))
  kept.console.log('more')
  expect(stream.lines).toHaveLength(10)
  expect(capture.flushSync()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(stream.lines).toHaveLength(11)
  expect(capture.stats()).toMatchObject({ emitted: 11, written: 11, queued: 0 })
  await capture.release()
})

test('a file takes both streams in the order of the calls', async () => {
  const kept = keptConsole()
  const path = directory.path('deep/console.log')
  const capture = kept.capture({ path, mkdir: true })
  kept.console.log('one')
  kept.console.warn('two')
  kept.console.log('three')
  await capture.flush()
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')
  await capture.release()
})

test('a stream that asks to wait is waited for, and one that fails is told and counted', async () => {
  const kept = keptConsole()
  const problems: string[] = []
  let goOn: (() => void) | undefined
  const written: string[] = []
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString())
      if (written.length === 1) goOn = done
      else done(new Error('broken'))
    },
  })
  const capture = kept.capture({ stream, write: 'sync', onDiagnostic: ({ code }) => problems.push(code) })
  kept.console.log('first')
  kept.console.log('second')
  expect([written, capture.stats()]).toMatchObject([['first\n'], { queued: 2, written: 0 }])
  goOn!()
  await capture.flush()
  await new Promise(setImmediate)
  kept.console.log('lost')
  await capture.release()
  expect(written).toEqual(['first\n', 'second\n'])
  expect(capture.stats()).toMatchObject({ written: 2, dropped: { total: 1, byReason: { io_error: 1 } } })
  expect(problems).toContain('SLUICE_WRITE_FAILED')
  expect(stream.listenerCount('error')).toBe(0)
})

test('whoever is told of trouble may print it', async () => {
  const kept = keptConsole()
  const stream = new TextKeeper()
  const capture = kept.capture({
    stream,
    maxQueueBytes: 100,
    onFull: 'dropNewest',
    onDiagnostic: ({ code }) => kept.console.error(code),
  })
  kept.console.log('x'.repeat(101))
  kept.console.log('kept')
  await capture.release()
  expect(stream.lines).toEqual(['SLUICE_RECORD_TOO_LARGE', 'kept', 'sluice: 1 record was dropped'])
})

describe('options that cannot be are refused, all of them at once', () => {
  test.each<[string, object, [string, string][]]>([
    ['an unknown one', { bufferSize: 1 }, [['SLUICE_OPTION_UNKNOWN', 'bufferSize']]],
    [
      'two destinations, and a third',
      { path: 'a', stream: new TextKeeper(), logger: loggerTo(), mode: 'passthrough' },
      [
        ['SLUICE_OPTION_CONFLICT', 'logger'],
        ['SLUICE_OPTION_CONFLICT', 'stream'],
      ],
    ],
    [
      'a destination of records',
      { mode: 'records', batchBytes: 1, onFull: 'block' },
      [
        ['SLUICE_OPTION_CONFLICT', 'onFull'],
        ['SLUICE_OPTION_CONFLICT', 'batchBytes'],
      ],
    ],
    ['paths in text', { redact: ['password'] }, [['SLUICE_OPTION_CONFLICT', 'redact']]],
    ['keys in text', { logger: loggerTo(), redact: { keys: ['a'] } }, [['SLUICE_OPTION_CONFLICT', 'redact.keys']]],
    ['a level that is none', { levels: { log: 'loud' } }, [['SLUICE_LEVEL_UNKNOWN', 'levels.log']]],
    ['a method that prints nothing', { levels: { time: 'info' } }, [['SLUICE_OPTION_UNKNOWN', 'levels.time']]],
    ['a logger of somebody else', { logger: { info() {} } }, [['SLUICE_OPTION_TYPE', 'logger']]],
    [
      'a stream that is none',
      { stream: {}, mode: 'both' },
      [
        ['SLUICE_OPTION_RANGE', 'mode'],
        ['SLUICE_OPTION_TYPE', 'stream'],
      ],
    ],
    ['no options', null as unknown as object, [['SLUICE_OPTION_TYPE', '']]],
  ])('%s', (_, options, problems) => {
    expect(problemsOf(options)).toEqual(expect.arrayContaining(problems))
    expect(problemsOf(options)).toHaveLength(problems.length)
  })
})
