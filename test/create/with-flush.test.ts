import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { withFlush, type WithFlushOptions } from '../../src/entries/lambda.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { importOf, runModule } from '../support/processes/child.ts'
import { fakeCollector, silence, taken, type Answer, type FakeCollector } from '../support/otlp/fake-collector.ts'

let collector: FakeCollector
let log: RootLogger

beforeEach(async () => {
  collector = await fakeCollector()
  log = createLogger({ profile: 'lambda', exporter: otlpExporter({ url: collector.url }), onDiagnostic() {} })
})

afterEach(async () => {
  await log.shutdown({ timeoutMillis: 0 })
  await collector.close()
})

/** Takes what comes, after some time. */
function slow(millis: number): Answer {
  return (response, request) => void setTimeout(() => taken(response, request), millis)
}

const callsLeft = (millis: number) => ({ getRemainingTimeInMillis: () => millis })

async function timed(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

describe('what was logged is sent before the answer is given', () => {
  test('by a handler that returns a promise, to a slow collector', async () => {
    collector.answerAlways(slow(150))
    const handler = withFlush(async (event: { seq: number }, _context: object) => {
      log.info('a', event)
      return event.seq + 1
    })
    expect(await handler({ seq: 7 }, callsLeft(60_000))).toBe(8)
    expect(collector.sequence).toEqual([7])
    expect(log.stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('by a handler that rejects, whose error stays the one it was', async () => {
    const error = new Error('no stock')
    const handler = withFlush(async (event: object) => {
      log.error('a', event)
      throw error
    })
    await expect(handler({ seq: 1 })).rejects.toBe(error)
    expect(collector.sequence).toEqual([1])
  })

  test('by a handler that calls back, whenever it does', async () => {
    type Callback = (error: unknown, answer?: unknown) => void
    const handler = withFlush((event: object, _context: object, callback: Callback) => {
      setImmediate(() => {
        log.info('a', event)
        callback(undefined, 'done')
      })
    })
    const said = await new Promise((resolve) => {
      const answer = handler({ seq: 2 }, {}, (...said) => resolve({ said, sequence: collector.sequence }))
      expect(answer).toBeUndefined()
    })
    expect(said).toEqual({ said: [undefined, 'done'], sequence: [2] })
  })

  test('by a handler that streams its response', async () => {
    const stream = { written: '', end: (text: string) => void (stream.written = text) }
    const handler = withFlush(async (event: object, response: typeof stream, _context: object) => {
      log.info('a', event)
      response.end('done')
    })
    await handler({ seq: 3 }, stream, callsLeft(60_000))
    expect({ written: stream.written, sequence: collector.sequence }).toEqual({ written: 'done', sequence: [3] })
  })

  test('by a handler that throws at once, which it still does', async () => {
    const ended = await runModule(`${inChild(collector)}
      const handler = withFlush((event) => {
        log.error('a', event)
        throw new Error('no event')
      })
      let thrown
      try { handler({ seq: 4 }) } catch (error) { thrown = error.message }
      writeSync(1, thrown)
      process.kill(process.pid, 'SIGKILL')
    `)
    expect(ended).toMatchObject({ signal: 'SIGKILL', stdout: 'no event' })
    expect(collector.sequence).toEqual([4])
  })

  test('by a handler that answers at once', async () => {
    const ended = await runModule(`${inChild(collector)}
      const handler = withFlush((event) => {
        log.info('a', event)
        return 'done'
      })
      writeSync(1, handler({ seq: 4 }))
      process.kill(process.pid, 'SIGKILL')
    `)
    expect(ended).toMatchObject({ signal: 'SIGKILL', stdout: 'done' })
    expect(collector.sequence).toEqual([4])
  })

  test('by all pipelines of the process, of loggers and of providers', async () => {
    const ended = await runModule(`${inChild(collector)}
      const other = createLoggerProvider({ exporter: exporter() }).getLogger('a')
      await withFlush(async () => {
        log.info('a', { seq: 1 })
        other.emit({ attributes: { seq: 2 } })
      })()
      process.kill(process.pid, 'SIGKILL')
    `)
    expect(ended.signal).toBe('SIGKILL')
    expect([...collector.sequence].toSorted((one, other) => one - other)).toEqual([1, 2])
  })

  test('by those of another copy of this package, too', async () => {
    const copy = JSON.stringify(new URL('../../src/lifecycle/open-pipelines.ts?copy', import.meta.url).href)
    const ended = await runModule(`${inChild(collector)}
      const { flushPipelines } = await import(${copy})
      log.info('a', { seq: 1 })
      await flushPipelines(5_000)
      process.kill(process.pid, 'SIGKILL')
    `)
    expect(ended.signal).toBe('SIGKILL')
    expect(collector.sequence).toEqual([1])
  })

  test('by the loggers that are named, and no others', async () => {
    const named = createLogger({ exporter: otlpExporter({ url: collector.url }) })
    const handler = withFlush(
      async () => {
        log.info('a', { seq: 1 })
        named.info('a', { seq: 2 })
      },
      { loggers: [named.child({})] },
    )
    await handler()
    expect(collector.sequence).toEqual([2])
    await named.shutdown()
  })
})

describe('a collector that never answers', () => {
  beforeEach(() => collector.answerAlways(silence))

  test('holds the answer up for half a second, and the record stays for the next call', async () => {
    const handler = logging()
    expect(await timed(() => handler({ seq: 1 }))).toBeGreaterThan(450)
    expect(log.stats()).toMatchObject({ written: 0, queued: 1, dropped: { total: 0 } })
  })

  test('and no longer than it is told to', async () => {
    const handler = logging({ timeoutMillis: 50 })
    // Far from the ten seconds that a try may take.
    expect(await timed(() => handler({ seq: 1 }))).toBeLessThan(5_000)
    expect(log.stats().queued).toBe(1)
  })

  test('holds up a handler that throws at once no longer', async () => {
    const handler = withFlush(
      (event: object): void => {
        log.info('a', event)
        thrower()
      },
      { timeoutMillis: 50 },
    )
    expect(await timed(() => expect(() => handler({ seq: 1 })).toThrow('no'))).toBeLessThan(5_000)
    expect(log.stats().queued).toBe(1)
  })
})

describe('how long the answer may be held up', () => {
  test.each([
    ['half a second', undefined, [{}], 500],
    ['as it is told', 50, [{}, {}], 50],
    ['as long as the call has time, less 100 ms', 60_000, [{}, callsLeft(200)], 100],
    ['so too where the response is streamed', 60_000, [{}, {}, callsLeft(200)], 100],
    ['not at all when the time is up', 60_000, [{}, callsLeft(99)], 0],
    ['as it is told where there is time enough', 50, [{}, callsLeft(60_000)], 50],
    ['as it is told where the event looks like a context', 50, [callsLeft(0)], 50],
    ['as it is told where the context says nonsense', 50, [{}, callsLeft(NaN)], 50],
    ['as it is told where the context throws', 50, [{}, { getRemainingTimeInMillis: thrower }], 50],
  ] as const)('%s', async (_, timeoutMillis, given, expected) => {
    const times: unknown[] = []
    const logger = {
      flush: async (options?: { readonly timeoutMillis?: number }) => times.push(options?.timeoutMillis),
      flushSync: (millis?: number) => times.push(millis),
    }
    const options = { loggers: [logger], ...(timeoutMillis !== undefined && { timeoutMillis }) }
    await withFlush(async (..._given: object[]) => {}, options)(...given)
    expect(times).toEqual([expected])
    expect(() => withFlush((..._given: object[]) => thrower(), options)(...given)).toThrow('no')
    expect(times[1]).toBeLessThanOrEqual(expected)
  })
})

describe('it is the handler in everything else', () => {
  test('this, parameters, the answer', () => {
    const answer = {}
    const handler = withFlush(function (this: unknown, ...given: unknown[]) {
      return [this, given, answer]
    })
    const self = {}
    expect(handler.call(self, 1, 2)).toEqual([self, [1, 2], answer])
    expect(handler(1)[2]).toBe(answer)
  })

  test('a logger that fails to flush changes neither the answer nor the error', async () => {
    const broken = { flush: thrower, flushSync: thrower }
    expect(await withFlush(async () => 'done', { loggers: [broken] })()).toBe('done')
    expect(() => withFlush(() => thrower(), { loggers: [broken] })()).toThrow('no')
  })

  test('Lambda sees what it looks for: the number of parameters, and the symbols of streamifyResponse', () => {
    const streaming = Symbol.for('aws.lambda.runtime.handler.streaming')
    const handler = withFlush(Object.assign(stream, { [streaming]: 'response' }))
    expect(handler).toHaveLength(3)
    expect(handler.name).toBe('stream')
    expect(handler[streaming]).toBe('response')
    // A runtime that knows no callbacks refuses handlers of three parameters.
    expect(withFlush(async (_event: object) => {})).toHaveLength(1)
  })
})

test('wrong options are told at once', () => {
  expect(problemsOf('handler')).toEqual(['SLUICE_OPTION_TYPE withFlush.handler'])
  expect(problemsOf(() => {}, { timeoutMillis: -1, loggers: [{}, log], lodgers: [] })).toEqual([
    'SLUICE_OPTION_RANGE withFlush.timeoutMillis',
    'SLUICE_OPTION_TYPE withFlush.loggers[0]',
    'SLUICE_OPTION_UNKNOWN withFlush.lodgers',
  ])
})

test('a pipeline that was shut down is not flushed any more', async () => {
  const provider = createLoggerProvider({ exporter: otlpExporter({ url: collector.url }), handleExit: false })
  await provider.shutdown()
  await withFlush(async () => {})()
  expect(collector.begun).toBe(0)
})

function logging(options?: WithFlushOptions) {
  return withFlush(async (event: object, _context?: object) => {
    log.info('a', event)
    return 'done'
  }, options)
}

const stream = async (_event: object, _stream: object, _context: object): Promise<void> => {}

/** The beginning of a program with a logger to the collector, which this process can end by force when it has sent all. */
function inChild({ url }: FakeCollector): string {
  return `import { writeSync } from 'node:fs'
    ${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ otlpExporter }', 'src/entries/exporters.ts')}
    ${importOf('{ createLoggerProvider }', 'src/entries/otel.ts')}${importOf('{ withFlush }', 'src/entries/lambda.ts')}
    const exporter = () => otlpExporter({ url: ${JSON.stringify(url)} })
    const log = createLogger({ profile: 'lambda', exporter: exporter() })`
}

function problemsOf(...given: unknown[]): unknown {
  try {
    return (withFlush as (...given: unknown[]) => unknown)(...given)
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ code, path }) => `${code} ${path}`)
  }
}

function thrower(): never {
  throw new Error('no')
}
