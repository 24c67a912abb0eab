import { BoundState } from '../../../src/record/bound.ts'
import { newRecord, type LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { defaultLimits } from '../../../src/values/limits.ts'
import { compileRedaction } from '../../../src/redact/redact.ts'
import type { Rules } from '../../../src/values/record-rules.ts'

/** The rules of a logger without options. */
export const rules: Rules = {
  redaction: compileRedaction(undefined, '', []),
  serializers: new Map(),
  limits: defaultLimits,
}
export const time = Date.UTC(2026, 10, 21, 9, 56, 3, 123)

class OrderError extends Error {}
const failure = new OrderError('no stock', { cause: new TypeError('timed out') })
failure.stack = 'Error: no stock\n    at place (order.js:3:7)\n    at main (order.js:9:1)'
;(failure.cause as Error).stack = 'TypeError: timed out\n    at find (stock.js:1:1)'

export function recordOf(parts: Partial<LogRecord> = {}, bound: Partial<LogRecord['bound']> = {}): LogRecord {
  const state = BoundState.of(
    {
      scope: bound.scope ?? { ...emptyScopeDetails, name: undefined, version: undefined },
      resource: bound.resource ?? {
        attributes: new Map([['telemetry.sdk.name', 'sluice']]),
        serviceName: undefined,
        schemaUrl: undefined,
      },
      messagePrefix: bound.messagePrefix ?? '',
      context: bound.context,
      droppedAttributes: bound.droppedAttributes ?? 0,
    },
    bound.attributes,
  )
  return { ...newRecord(time, 9, 'info', state), droppedAttributes: 0, ...parts, bound: state }
}

export const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const shop: Partial<LogRecord['bound']> = {
  scope: { ...emptyScopeDetails, name: 'checkout', version: '1.2.0' },
  resource: {
    attributes: new Map([
      ['service.name', 'shop'],
      ['host.name', 'h"1'],
    ]),
    serviceName: 'shop',
    schemaUrl: undefined,
  },
  attributes: new Map<string, string | number>([
    ['region', 'eu'],
    ['shard', 4],
  ]),
}

/** Records that together have every field of a line. */
export const records = (): LogRecord[] => [
  recordOf({ body: 'started' }),
  recordOf({ attributes: { a: 1 } }),
  recordOf(
    {
      body: 'order {orderId} placed',
      attributes: { orderId: '42' },
      span,
      eventName: 'order.placed',
      droppedAttributes: 2,
    },
    shop,
  ),
  recordOf({ body: 'again', attributes: { orderId: '43', region: 'us' }, span }, shop),
  recordOf(
    { severity: 17, level: 'error', exception: failure, attributes: { orderId: '44' } },
    { ...shop, messagePrefix: 'shop: ' },
  ),
  recordOf({ severity: 10, level: 'notice', body: 'line\nbreak "quoted" \u2028 é 😀 \ud800' }),
  recordOf({ severity: 21, level: 'fatal', time: time + 0.9, body: '' }),
]
