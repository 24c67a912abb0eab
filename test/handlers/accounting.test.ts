import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { array, assert, constantFrom, integer, nat, oneof, option, property, record, type Arbitrary } from 'fast-check'
import type { CreateHandler } from '../../src/handler/handler.ts'
import { budget } from '../../src/handlers/budget.ts'
import { compose } from '../../src/handlers/compose.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { route } from '../../src/handlers/route.ts'
import { sampleByTrace } from '../../src/handlers/sample-by-trace.ts'
import { tee } from '../../src/handlers/tee.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { eachRecord } from '../support/each-record.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()))
afterAll(() => context.disable())

const levels = ['debug', 'info', 'warn', 'error'] as const
const messages = ['a', 'b', 'c', 'd', 'e'] as const

const call = record({
  level: constantFrom(...levels),
  message: constantFrom(...messages),
  /** The first of the last 14 digits of the trace ID; undefined to log without a span. */
  digit: option(constantFrom('0', '7', 'f'), { nil: undefined }),
  /** Another message that is logged while this one is encoded. */
  inner: option(constantFrom(...messages), { nil: undefined, freq: 6 }),
  advance: constantFrom(0, 0, 0, 1, 50, 400, -30, -5_000),
  flushes: constantFrom(false, false, false, false, false, true),
})

type Call = typeof call extends Arbitrary<infer C> ? C : never

const maxKeys = integer({ min: 1, max: 6 })
const keepLevel = constantFrom('warn' as const, 'silent' as const, 'info' as const)
const kinds = {
  limit: record({
    first: integer({ min: 1, max: 4 }),
    thereafter: nat(3),
    windowMillis: integer({ min: 1, max: 500 }),
    maxKeys,
    keepLevel,
  }).map((options) => limit(options)),
  dedupe: record({ windowMillis: integer({ min: 1, max: 300 }), maxKeys }).map((options) => dedupe(options)),
  budget: record({ bytesPerSecond: integer({ min: 1, max: 5_000 }), keepLevel }).map((options) => budget(options)),
  sample: keepLevel.map((level) => sampleByTrace(0.5, { keepLevel: level })),
}

/** A custom handler that drops records with one message, for no reason. */
const dropping = constantFrom(...messages).map((message) =>
  eachRecord((record, next) => (record.body === message ? undefined : next.handle(record))),
)
/** A custom handler that throws for one message, so that the record is written. */
const throwing = constantFrom(...messages).map((message) =>
  eachRecord((record, next) => {
    if (record.body === message) throw new Error('no')
    next.handle(record)
  }),
)

/** Compositions of at most this many levels. */
function compositions(depth: number): Arbitrary<CreateHandler> {
  const leaves = [kinds.limit, kinds.dedupe, kinds.budget, kinds.sample, dropping, throwing]
  if (depth === 0) return oneof(...leaves)
  const handlers = array(compositions(depth - 1), { minLength: 1, maxLength: 3 })
  return oneof(
    ...leaves,
    handlers.map((list) => compose(...list)),
    handlers.map((list) => compose(...list)),
    handlers.map((list) => tee(...list)),
    handlers.map((list) =>
      route((each) => each.level, Object.fromEntries(list.map((handler, index) => [levels[index]!, handler]))),
    ),
  )
}

/** Compositions with several handlers. */
const anyComposition = array(compositions(2), { minLength: 1, maxLength: 4 }).map((list) => compose(...list))

interface Line {
  readonly 'otel.event.name'?: string
  readonly attributes?: { readonly 'sluice.suppressed'?: number; readonly 'sluice.suppressed_by'?: string }
}

/** Runs a handler with log calls. Returns the numbers of calls, of lines that are not summaries, and of suppressed records by reason. */
function run(handler: CreateHandler, calls: readonly Call[]) {
  const clock = manualClock(1_000_000)
  const { log, exporter } = createTestLogger({ handler, clock })
  let emitted = 0
  const logOne = ({ level, message, digit, inner }: Omit<Call, 'advance' | 'flushes'>): void => {
    emitted++
    const spanContext = { traceId: `0af7651916cd43dd84${(digit ?? '').repeat(14)}`, spanId: 'b7ad6b7169203331' }
    const active =
      digit === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, traceFlags: 1 })
    const nested = { toJSON: () => (logOne({ level, message: inner!, digit, inner: undefined }), 1) }
    context.with(active, () => (inner === undefined ? log[level](message) : log[level](message, { nested })))
  }
  for (const each of calls) {
    clock.advance(each.advance)
    logOne(each)
    if (each.flushes) log.flushSync()
  }
  log.flushSync()
  const lines = exporter.lines().map((line) => JSON.parse(line) as Line)
  const reported: Record<string, number> = {}
  for (const { attributes } of lines) {
    const { 'sluice.suppressed': count, 'sluice.suppressed_by': reason } = attributes ?? {}
    if (count !== undefined) reported[reason!] = (reported[reason!] ?? 0) + count
  }
  const summaries = lines.filter((line) => line['otel.event.name'] !== undefined).length
  return { emitted, kept: lines.length - summaries, summaries, reported, stats: log.stats() }
}

test('in any composition of handlers, kept and suppressed records are all emitted ones, and each suppressed one is reported once', () => {
  assert(
    property(anyComposition, array(call, { maxLength: 80 }), (handler, calls) => {
      const { emitted, kept, summaries, reported, stats } = run(handler, calls)
      const { handler: dropped = 0, ...suppressed } = stats.filteredByReason
      expect(reported).toEqual(suppressed)
      const filtered = Object.values(suppressed).reduce((sum, count) => sum + count, dropped)
      expect(kept + filtered).toBe(emitted)
      expect(stats.exporters[0]).toMatchObject({
        emitted: emitted + summaries,
        accepted: kept + summaries,
        filtered,
        written: kept + summaries,
      })
    }),
    { numRuns: 1_000 },
  )
})
