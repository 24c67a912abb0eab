import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Console } from 'node:console'
import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { captureConsole } from '../../src/entries/console.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { interceptorsOf } from '../../src/console/interceptors.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { createTestConsole, CapturingStream } from '../support/processes/test-console.ts'
import { capturingExporter } from '../support/files/test-logger.ts'
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
const loggerTo = (keeper = capturingExporter()) => createLogger({ exporter: keeper, handleExit: false })

describe('capture.release()', () => {
  test.each(['passthrough', 'records'] as const)(
    'release restores the original console members exactly (%s)',
    async (mode) => {
      const kept = createTestConsole()
      const before = memberOf(kept.console)
      const capture = kept.capture(
        mode === 'records' ? { mode, logger: loggerTo() } : { stream: new CapturingStream() },
      )
      expect(memberOf(kept.console)).not.toEqual(before)
      await capture.release()
      expect(memberOf(kept.console)).toEqual(before)
    },
  )

  test('release keeps a method that other code assigned during the capture, and that method prints to the original console', async () => {
    const keeper = capturingExporter()
    const kept = createTestConsole()
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

  test('release writes queued lines before lines that are printed after it', async () => {
    const kept = createTestConsole()
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

test('the later of two captures receives the output, and the console is restored in either order of release', () => {
  for (const first of [0, 1]) {
    const kept = createTestConsole()
    const before = memberOf(kept.console)
    const outer = capturingExporter()
    const inner = new CapturingStream()
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

test('a capture of a subclass of Console replaces its methods, and release restores them', async () => {
  const printed: unknown[][] = []
  class Tester extends Console {
    override log(...args: unknown[]): void {
      printed.push(args)
    }
  }
  const { captureConsoleWith } = await import('../../src/create/capture-console.ts')
  const target = new Tester({ stdout: new CapturingStream() })
  const before = memberOf(target)
  const stream = new CapturingStream()
  const capture = captureConsoleWith({ stream }, interceptorsOf(target))
  target.group('group')
  target.log('%s', 1)
  target.count()
  await capture.release()
  target.log('after')
  expect(stream.text).toBe('group\n  1\n  default: 1\n')
  expect(printed).toEqual([['after']])
  expect(memberOf(target)).toEqual(before)
})

test('queued lines are written when they reach `batchBytes`, and on flushSync', async () => {
  const kept = createTestConsole()
  const stream = new CapturingStream()
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

test('a captured console writes stdout and stderr lines to one file in call order', async () => {
  const kept = createTestConsole()
  const path = directory.path('deep/console.log')
  const capture = kept.capture({ path, mkdir: true })
  kept.console.log('one')
  kept.console.warn('two')
  kept.console.log('three')
  await capture.flush()
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')
  await capture.release()
})

test('a capture waits for a stream that applies backpressure, and reports and counts the lines that a failed stream loses', async () => {
  const kept = createTestConsole()
  const problems: string[] = []
  let resumeStream: (() => void) | undefined
  const written: string[] = []
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      written.push(chunk.toString())
      if (written.length === 1) resumeStream = done
      else done(new Error('broken'))
    },
  })
  const capture = kept.capture({ stream, write: 'sync', onDiagnostic: ({ code }) => problems.push(code) })
  kept.console.log('first')
  kept.console.log('second')
  expect([written, capture.stats()]).toMatchObject([['first\n'], { queued: 2, written: 0 }])
  resumeStream!()
  await capture.flush()
  await new Promise(setImmediate)
  kept.console.log('lost')
  await capture.release()
  expect(written).toEqual(['first\n', 'second\n'])
  expect(capture.stats()).toMatchObject({ written: 2, dropped: { total: 1, byReason: { io_error: 1 } } })
  expect(problems).toContain('SLUICE_WRITE_FAILED')
  expect(stream.listenerCount('error')).toBe(0)
})

test.each(['flush', 'flushSync'] as const)(
  'an asynchronous write that rejects loses only its lines, with %s()',
  async (method) => {
    const kept = createTestConsole()
    const problems: string[] = []
    const texts: string[] = []
    const stream = Object.assign(new CapturingStream(), {
      write(text: string): unknown {
        texts.push(text)
        return text === 'lost\n' ? Promise.reject(new Error('no')) : true
      },
    })
    const capture = kept.capture({
      stream,
      write: 'turn',
      onDiagnostic: ({ message }) => problems.push(message),
    })
    kept.console.log('lost')
    await capture[method]()
    await new Promise(setImmediate)
    kept.console.log('next')
    await capture.release()
    expect(texts.filter((text) => !text.startsWith('sluice: '))).toEqual(['lost\n', 'next\n'])
    // Without the event loop, the result of an asynchronous write is unknown.
    const { unknown, dropped } = capture.stats()
    expect([unknown, dropped.total]).toEqual(method === 'flush' ? [0, 1] : [1, 0])
    expect(problems).toEqual(['stream: cannot write (unknown error)'])
  },
)

test('an onDiagnostic callback can print to the captured console', async () => {
  const kept = createTestConsole()
  const stream = new CapturingStream()
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

describe('validation of options', () => {
  test.each<[string, object, [string, string][]]>([
    ['an unknown option', { bufferSize: 1 }, [['SLUICE_OPTION_UNKNOWN', 'bufferSize']]],
    [
      'a path, a stream and a logger at once',
      { path: 'a', stream: new CapturingStream(), logger: loggerTo(), mode: 'passthrough' },
      [
        ['SLUICE_OPTION_CONFLICT', 'logger'],
        ['SLUICE_OPTION_CONFLICT', 'stream'],
      ],
    ],
    [
      'options for text in records mode',
      { mode: 'records', batchBytes: 1, onFull: 'block' },
      [
        ['SLUICE_OPTION_CONFLICT', 'onFull'],
        ['SLUICE_OPTION_CONFLICT', 'batchBytes'],
      ],
    ],
    ['redaction paths in text mode', { redact: ['password'] }, [['SLUICE_OPTION_CONFLICT', 'redact']]],
    [
      'redaction keys in text mode',
      { logger: loggerTo(), redact: { keys: ['a'] } },
      [['SLUICE_OPTION_CONFLICT', 'redact.keys']],
    ],
    ['an unknown level', { levels: { log: 'loud' } }, [['SLUICE_LEVEL_UNKNOWN', 'levels.log']]],
    [
      'a level for a method that does not print',
      { levels: { time: 'info' } },
      [['SLUICE_OPTION_UNKNOWN', 'levels.time']],
    ],
    ['a logger of another library', { logger: { info() {} } }, [['SLUICE_OPTION_TYPE', 'logger']]],
    [
      'an invalid stream and an invalid mode',
      { stream: {}, mode: 'both' },
      [
        ['SLUICE_OPTION_RANGE', 'mode'],
        ['SLUICE_OPTION_TYPE', 'stream'],
      ],
    ],
    ['null', null as unknown as object, [['SLUICE_OPTION_TYPE', '']]],
  ])('captureConsole throws one error that lists every problem, for %s', (_, options, problems) => {
    expect(problemsOf(options)).toEqual(expect.arrayContaining(problems))
    expect(problemsOf(options)).toHaveLength(problems.length)
  })
})
