import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { context, createTraceState, ROOT_CONTEXT, trace, type SpanContext } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { assert, bigInt, double, property } from 'fast-check'
import { isSampled, parseProbabilityState, thresholdOf } from '../../src/handlers/probability.ts'
import { sampleByTrace } from '../../src/handlers/sample-by-trace.ts'
import { eachRecord } from '../support/each-record.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()))
afterEach(() => context.disable())

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
/** Runs a function in a span. */
const inSpan = <T>(span: Partial<SpanContext>, run: () => T): T =>
  context.with(trace.setSpanContext(ROOT_CONTEXT, { ...ids, ...span }), run)
/** A trace ID whose last 7 bytes are these hex digits. */
const traceWith = (digits: string) => `${ids.traceId.slice(0, 18)}${digits}`

/** A trace state with this value of the key `ot`. */
const otState = (value: string) => createTraceState(`ot=${value}`)

/** Returns the messages that are kept of one record for each span. */
function kept(handler: ReturnType<typeof sampleByTrace>, spans: readonly Partial<SpanContext>[]): unknown[] {
  const { log, captureLines } = createTestLogger({ handler })
  return captureLines(() => {
    for (const [index, span] of spans.entries()) inSpan(span, () => log.info(`span ${index}`))
  }).map(({ message }) => message)
}

/** Returns the trace states that a handler reads from the records of one span. */
function traceStates(traceState: unknown): unknown[] {
  const states: unknown[] = []
  const handler = eachRecord((record) => states.push(record.span?.traceState))
  const { log } = createTestLogger({ handler })
  const span = { ...ids, traceState } as SpanContext
  inSpan(span, () => log.info('m'))
  return states
}

describe('the threshold of a ratio', () => {
  test.each([
    [1, '00000000000000'],
    [0.5, '80000000000000'],
    [0.25, 'c0000000000000'],
    [0.1, 'e6666666666666'],
    [2 ** -56, 'ffffffffffffff'],
  ])('the threshold of the ratio %p is %s', (ratio, threshold) => {
    expect(thresholdOf(ratio)).toBe(threshold)
  })

  test('the ratio 0 rejects every randomness', () => {
    expect(isSampled({ ...ids, traceId: traceWith('f'.repeat(14)) }, parseProbabilityState(''), thresholdOf(0))).toBe(
      false,
    )
  })

  test('a trace is kept exactly if its randomness is not below the threshold, as numbers', () => {
    assert(
      property(bigInt(0n, 2n ** 56n - 1n), double({ min: 0, max: 1, noNaN: true }), (randomness, ratio) => {
        const traceId = traceWith(randomness.toString(16).padStart(14, '0'))
        const expected = randomness >= 2n ** 56n - BigInt(Math.round(ratio * 2 ** 56))
        expect(isSampled({ ...ids, traceId }, parseProbabilityState(undefined), thresholdOf(ratio))).toBe(expected)
      }),
    )
  })
})

describe('the key ot of a trace state', () => {
  test.each([
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['vendor=1', undefined, undefined],
    ['ot=th:c', undefined, 'c0000000000000'],
    ['ot=th:0', undefined, '00000000000000'],
    ['vendor=a, ot=th:8;rv:0123456789abcd ,x=y', '0123456789abcd', '80000000000000'],
    ['ot=rv:0123456789abcd', '0123456789abcd', undefined],
    ['ot=rv:0123456789abc;th:', undefined, undefined],
    ['ot=rv:0123456789ABCD;th:123456789abcdef', undefined, undefined],
    ['not=th:8', undefined, undefined],
    ['x=ot=th:8', undefined, undefined],
  ])('%p has the randomness %p and the threshold %p', (text, randomness, threshold) => {
    expect(parseProbabilityState(text)).toEqual({ randomness, threshold })
  })
})

describe('sampleByTrace', () => {
  test('a trace is kept by its randomness, which is rv or the last bytes of its ID', () => {
    const low = traceWith('7fffffffffffff')
    const high = traceWith('80000000000000')
    const spans = [
      { traceId: low },
      { traceId: high },
      { traceId: low, traceState: otState('rv:80000000000000') },
      { traceId: high, traceState: otState('rv:7fffffffffffff') },
    ]
    expect(kept(sampleByTrace(0.5), spans)).toEqual(['span 1', 'span 2'])
  })

  test('a threshold in the trace state applies instead of the ratio', () => {
    const traceId = traceWith('9fffffffffffff')
    const spans = ['th:a', 'th:9', 'th:0'].map((state) => ({ traceId, traceState: otState(state) }))
    expect(kept(sampleByTrace(0.01), spans)).toEqual(['span 1', 'span 2'])
  })

  test('records without a span and warnings are kept, and suppressed records are reported once', () => {
    const { log, captureLines } = createTestLogger({ handler: sampleByTrace(0.5) })
    const lines = captureLines(() => {
      log.info('no span')
      inSpan({ traceId: traceWith('00000000000000') }, () => {
        log.info('suppressed')
        log.info('suppressed')
        log.warn('warning')
      })
      inSpan({ traceId: traceWith('ffffffffffffff') }, () => {
        log.info('kept')
        log.info('kept')
      })
    })
    expect(lines.map(({ message, attributes }) => [message, attributes?.['sluice.suppressed']])).toEqual([
      ['no span', undefined],
      ['warning', undefined],
      ['kept', 2],
      ['kept', undefined],
    ])
    expect(log.stats().filteredByReason).toEqual({ sample: 2 })
  })

  test('with keepLevel silent, warnings and errors are sampled too', () => {
    const { log, captureLines } = createTestLogger({ handler: sampleByTrace(0, { keepLevel: 'silent' }) })
    expect(captureLines(() => inSpan({}, () => log.error('m')))).toEqual([])
  })
})

describe('the trace state of a record', () => {
  test.each<[string, unknown, unknown]>([
    ['a trace state', createTraceState('a=1,b=2'), 'a=1,b=2'],
    ['an empty trace state', createTraceState(), undefined],
    ['no trace state', undefined, undefined],
    ['a string', 'a=1', undefined],
    ['an object without serialize', {}, undefined],
    [
      'a trace state that throws',
      {
        serialize: () => {
          throw new Error('no')
        },
      },
      undefined,
    ],
    ['a trace state that returns a promise', { serialize: () => Promise.reject(new Error('no')) }, undefined],
    ['a trace state that returns a number', { serialize: () => 7 }, undefined],
  ])('the trace state of a span with %s is that text or undefined', (_case, traceState, expected) => {
    expect(traceStates(traceState)).toEqual([expected])
  })

  test('the trace state of a span is serialized only when a handler reads it', () => {
    let calls = 0
    const traceState = { serialize: () => `a=${++calls}` } as unknown as SpanContext['traceState']
    const { log, captureLines } = createTestLogger({ handler: eachRecord((record, next) => next.handle(record)) })
    expect(captureLines(() => inSpan({ traceState }, () => log.info('m')))[0]).toMatchObject({ trace_id: ids.traceId })
    expect(calls).toBe(0)
  })
})
