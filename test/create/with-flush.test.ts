import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { withFlush, type WithFlushOptions } from '../../src/entries/lambda.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { importOf, runModule } from '../support/processes/child.ts'
import {
  fakeCollector,
  neverRespond,
  accept,
  type Responder,
  type FakeCollector,
} from '../support/otlp/fake-collector.ts'

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

/** An answer that accepts the request after a delay. */
function slow(millis: number): Responder {
  return (response, request) => void setTimeout(() => accept(response, request), millis)
}

const callsLeft = (millis: number) => ({ getRemainingTimeInMillis: () => millis })

async function timed(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

describe('flush before the response', () => {
  test('withFlush flushes to a slow collector before the promise of a handler resolves', async () => {
    collector.respondAlways(slow(150))
    const handler = withFlush(async (event: { seq: number }, _context: object) => {
      log.info('a', event)
      return event.seq + 1
    })
    expect(await handler({ seq: 7 }, callsLeft(60_000))).toBe(8)
    expect(collector.sequence).toEqual([7])
    expect(log.stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('withFlush flushes before the promise of a handler rejects, with the same error', async () => {
    const error = new Error('no stock')
    const handler = withFlush(async (event: object) => {
      log.error('a', event)
      throw error
    })
    await expect(handler({ seq: 1 })).rejects.toBe(error)
    expect(collector.sequence).toEqual([1])
  })

  test('withFlush flushes before the callback of a handler is called', async () => {
    type Callback = (error: unknown, returned?: unknown) => void
    const handler = withFlush((event: object, _context: object, callback: Callback) => {
      setImmediate(() => {
        log.info('a', event)
        callback(undefined, 'done')
      })
    })
    const result = await new Promise((resolve) => {
      const returned = handler({ seq: 2 }, {}, (...result) => resolve({ result, sequence: collector.sequence }))
      expect(returned).toBeUndefined()
    })
    expect(result).toEqual({ result: [undefined, 'done'], sequence: [2] })
  })

  test('withFlush flushes after a handler has streamed its response', async () => {
    const stream = { written: '', end: (text: string) => void (stream.written = text) }
    const handler = withFlush(async (event: object, response: typeof stream, _context: object) => {
      log.info('a', event)
      response.end('done')
    })
    await handler({ seq: 3 }, stream, callsLeft(60_000))
    expect({ written: stream.written, sequence: collector.sequence }).toEqual({ written: 'done', sequence: [3] })
  })

  test('withFlush flushes before a handler throws synchronously', async () => {
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

  test('withFlush flushes before a handler returns synchronously', async () => {
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

  test('withFlush flushes all pipelines of the process, those of loggers and of providers', async () => {
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

  test('withFlush flushes the pipelines of another copy of this package', async () => {
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

  test('withFlush flushes only the loggers that the option loggers lists', async () => {
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

describe('an unresponsive collector', () => {
  beforeEach(() => collector.respondAlways(neverRespond))

  test('an unresponsive collector delays the response by half a second, and the record stays queued', async () => {
    const handler = logging()
    expect(await timed(() => handler({ seq: 1 }))).toBeGreaterThan(450)
    expect(log.stats()).toMatchObject({ written: 0, queued: 1, dropped: { total: 0 } })
  })

  test('an unresponsive collector delays the response by at most timeoutMillis', async () => {
    const handler = logging({ timeoutMillis: 50 })
    // Far below the export timeout of ten seconds.
    expect(await timed(() => handler({ seq: 1 }))).toBeLessThan(5_000)
    expect(log.stats().queued).toBe(1)
  })

  test('an unresponsive collector delays a synchronous throw by at most timeoutMillis', async () => {
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

describe('flush timeout', () => {
  test.each([
    ['500 ms by default', undefined, [{}], 500],
    ['timeoutMillis', 50, [{}, {}], 50],
    ['the remaining time of the call less 100 ms', 60_000, [{}, callsLeft(200)], 100],
    ['the remaining time of a streaming call less 100 ms', 60_000, [{}, {}, callsLeft(200)], 100],
    ['zero when less than 100 ms remain', 60_000, [{}, callsLeft(99)], 0],
    ['timeoutMillis when more time remains', 50, [{}, callsLeft(60_000)], 50],
    ['timeoutMillis when the event looks like a context', 50, [callsLeft(0)], 50],
    ['timeoutMillis when the context returns NaN', 50, [{}, callsLeft(NaN)], 50],
    ['timeoutMillis when the context throws', 50, [{}, { getRemainingTimeInMillis: thrower }], 50],
  ] as const)('withFlush limits its flush to %s', async (_, timeoutMillis, given, expected) => {
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

describe('transparency of the wrapper', () => {
  test('withFlush passes this, the parameters and the return value through', () => {
    const returned = {}
    const handler = withFlush(function (this: unknown, ...given: unknown[]) {
      return [this, given, returned]
    })
    const self = {}
    expect(handler.call(self, 1, 2)).toEqual([self, [1, 2], returned])
    expect(handler(1)[2]).toBe(returned)
  })

  test('withFlush changes neither the result nor the error when a logger fails to flush', async () => {
    const broken = { flush: thrower, flushSync: thrower }
    expect(await withFlush(async () => 'done', { loggers: [broken] })()).toBe('done')
    expect(() => withFlush(() => thrower(), { loggers: [broken] })()).toThrow('no')
  })

  test('withFlush preserves the number of parameters and the streaming symbol, which Lambda reads', () => {
    const streaming = Symbol.for('aws.lambda.runtime.handler.streaming')
    const handler = withFlush(Object.assign(stream, { [streaming]: 'response' }))
    expect(handler).toHaveLength(3)
    expect(handler.name).toBe('stream')
    expect(handler[streaming]).toBe('response')
    // A runtime without callback support rejects handlers of three parameters.
    expect(withFlush(async (_event: object) => {})).toHaveLength(1)
  })
})

test('withFlush rejects invalid options when it is called', () => {
  expect(problemsOf('handler')).toEqual(['SLUICE_OPTION_TYPE withFlush.handler'])
  expect(problemsOf(() => {}, { timeoutMillis: -1, loggers: [{}, log], lodgers: [] })).toEqual([
    'SLUICE_OPTION_RANGE withFlush.timeoutMillis',
    'SLUICE_OPTION_TYPE withFlush.loggers[0]',
    'SLUICE_OPTION_UNKNOWN withFlush.lodgers',
  ])
})

test('withFlush does not flush a pipeline that was shut down', async () => {
  const provider = createLoggerProvider({ exporter: otlpExporter({ url: collector.url }), handleExit: false })
  await provider.shutdown()
  await withFlush(async () => {})()
  expect(collector.requestCount).toBe(0)
})

function logging(options?: WithFlushOptions) {
  return withFlush(async (event: object, _context?: object) => {
    log.info('a', event)
    return 'done'
  }, options)
}

const stream = async (_event: object, _stream: object, _context: object): Promise<void> => {}

/** The beginning of a program with a logger to the collector. The test kills the program after everything was sent. */
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
