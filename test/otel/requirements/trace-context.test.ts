import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { createLogger } from '../../../src/create/create-logger.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import type { OtelContext } from '../../../src/otel/api/types.ts'
import { capturingExporter } from '../../support/files/test-logger.ts'
import { emitting } from '../provider/emitting.ts'
import { recordsIn } from './otlp-lines.ts'

const active = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const given = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 0 }
const contextOf = (span: api.SpanContext) => api.trace.setSpanContext(api.ROOT_CONTEXT, span)
const otlp = ({ traceId, spanId, traceFlags }: api.SpanContext) => ({ traceId, spanId, flags: traceFlags })

beforeEach(() => void api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterEach(() => api.context.disable())

/** Returns the trace fields of a record. Fields with their default value may be absent from the record. */
function traceIn(record: object | undefined): object {
  const { traceId, spanId, flags = 0 } = record as { traceId?: string; spanId?: string; flags?: number }
  return { traceId, spanId, flags }
}

const none = { traceId: undefined, spanId: undefined, flags: 0 }

describe.each<[string, object, object]>([
  ['no context', {}, otlp(active)],
  ['a context that is undefined', { context: undefined }, otlp(active)],
  ['a context with another span', { context: contextOf(given) }, otlp(given)],
  ['a context without a span', { context: api.ROOT_CONTEXT }, none],
])('a record that is emitted with %s while a span is active', (_, fields, expected) => {
  // Requirements: SDK12
  test.each([true, false])(
    'the record has the trace id, span id and flags of the expected span, with one exporter: %s',
    (alone) => {
      const { provider, emitted } = emitting({}, alone)
      api.context.with(contextOf(active), () => provider.getLogger('a').emit({ body: 'm', ...fields }))
      expect(traceIn(emitted()[0])).toEqual(expected)
    },
  )

  // Requirements: SDK12, REC1
  test('processors receive the record with the same span and context', () => {
    const seen: [unknown, OtelContext | undefined][] = []
    const processor = {
      onEmit: (record: { spanContext?: object }, context?: OtelContext) =>
        void seen.push([record.spanContext, context]),
      shutdown: async () => {},
    }
    const { provider } = emitting({ processors: [processor] })
    const current = contextOf(active)
    api.context.with(current, () => provider.getLogger('a').emit({ body: 'm', ...fields }))
    const [[span, context]] = seen as [(typeof seen)[0]]
    expect(span === undefined ? none : otlp(span as api.SpanContext)).toEqual(expected)
    expect(context).toBe((fields as { context?: OtelContext }).context ?? current)
  })

  // Requirements: SDK12, SDK8
  test('traceBased filters the record by the sampled flag of the expected span', () => {
    const { provider, emitted } = emitting({ defaultLogger: { traceBased: true } })
    const logger = provider.getLogger('a')
    const isSampled = expected === none || (expected as { flags: number }).flags === 1
    api.context.with(contextOf(active), () => {
      expect(logger.enabled(fields)).toBe(isSampled)
      logger.emit({ body: 'm', ...fields })
    })
    expect(emitted()).toHaveLength(isSampled ? 1 : 0)
  })
})

// Requirements: SDK12
test('a record that is emitted without an active span has no trace context', () => {
  const { provider, emitted } = emitting()
  provider.getLogger('a').emit({ body: 'm' })
  expect(traceIn(emitted()[0])).toEqual(none)
})

// Requirements: SDK12
test('a record belongs to the span that is active when it is emitted, not when its logger was created', () => {
  const { provider, emitted } = emitting()
  const logger = api.context.with(contextOf(given), () => provider.getLogger('a'))
  api.context.with(contextOf(active), () => logger.emit({ body: 'm' }))
  logger.emit({ body: 'm' })
  expect(emitted().map(traceIn)).toEqual([otlp(active), none])
})

// Requirements: SDK12, DM8
test('a logger of createLogger writes the span of its own context, or else the active span', () => {
  const keeper = capturingExporter(otlpJsonLines())
  const lines = capturingExporter(jsonLines())
  const log = createLogger({ exporter: [keeper, { ...lines, name: 'flat' }], handleExit: false })
  const child = log.child({}, { context: contextOf(given) })
  api.context.with(contextOf(active), () => {
    log.info('m')
    child.info('m')
  })
  log.info('m')
  expect(recordsIn(keeper.text()).map(traceIn)).toEqual([otlp(active), otlp(given), none])
  const flat = lines.lines().map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(flat.map((line) => [line['trace_id'], line['span_id'], line['trace_flags']])).toEqual([
    [active.traceId, active.spanId, '01'],
    [given.traceId, given.spanId, '00'],
    [undefined, undefined, undefined],
  ])
})
