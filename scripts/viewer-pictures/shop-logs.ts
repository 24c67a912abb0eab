import { ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'

type SdkRecord = Parameters<(typeof ProtobufLogsSerializer)['serializeRequest']>[0][number]

const resources = {
  shop: resourceFromAttributes({ 'service.name': 'shop', 'service.version': '2.4.1', 'host.name': 'dev' }),
  mail: resourceFromAttributes({ 'service.name': 'mail', 'service.version': '1.9.0', 'host.name': 'dev' }),
  payments: resourceFromAttributes({ 'service.name': 'payments', 'service.version': '0.12.3', 'host.name': 'dev' }),
} as const

interface Kind {
  readonly service: keyof typeof resources
  readonly scope: string
  readonly severity: number
  readonly level: string
  message(order: number): string
  attributes(order: number): Record<string, unknown>
}

const stack = `TypeError: the amount is not a number
    at refund (/srv/payments/src/refund.ts:12:9)
    at async handle (/srv/payments/src/http.ts:40:3)
    at Layer.handle (/srv/payments/node_modules/express/lib/layer.js:95:5)
    at next (/srv/payments/node_modules/express/lib/route.js:149:13)
    at node:internal/process/task_queues:105:5`

const tenants = ['acme', 'globex', 'initech'] as const

const request: Kind = {
  service: 'shop',
  scope: 'http',
  severity: 9,
  level: 'INFO',
  message: (order) => `GET /orders/${order} handled`,
  attributes: (order) => ({
    'http.response.status_code': 200,
    duration_ms: 3 + ((order * 7) % 97),
    tenant: tenants[order % 3],
  }),
}
const cacheMiss: Kind = {
  service: 'shop',
  scope: 'cache',
  severity: 5,
  level: 'DEBUG',
  message: (order) => `cache miss for order:${order}`,
  attributes: () => ({ 'cache.name': 'orders' }),
}
const mail: Kind = {
  service: 'mail',
  scope: 'smtp',
  severity: 9,
  level: 'INFO',
  message: (order) => `receipt of order ${order} sent`,
  attributes: (order) => ({ template: 'receipt', attempt: 1 + (order % 2) }),
}
const slowQuery: Kind = {
  service: 'shop',
  scope: 'db',
  severity: 13,
  level: 'WARN',
  message: () => 'slow query on orders',
  attributes: (order) => ({ 'db.system.name': 'postgresql', duration_ms: 900 + (order % 700), rows: order % 40 }),
}
const failure: Kind = {
  service: 'payments',
  scope: 'refunds',
  severity: 17,
  level: 'ERROR',
  message: (order) => `refund of order ${order} failed`,
  attributes: (order) => ({
    tenant: tenants[order % 3],
    order: {
      id: order,
      currency: 'EUR',
      items: [
        { sku: 'tea-01', count: 2 },
        { sku: 'cup-07', count: 1 },
      ],
    },
    'exception.type': 'TypeError',
    'exception.message': 'the amount is not a number',
    'exception.stacktrace': stack,
  }),
}

/** The number of records in the pictures. */
export const recordCount = 12_000
/** The records of a trace. */
const traceRecords = 8
const start = Date.UTC(2026, 4, 12, 9, 30)
const stepMillis = 11
/** The record with a failure whose trace is shown. */
export const failedRecord: number = 97 * 123

/** Returns the time of a record in ms since the Unix epoch. More records are logged at some times than at others. */
export function timeOf(record: number): number {
  return start + Math.round(record * stepMillis + Math.sin(record / 700) * 3_500 + 3_500)
}

function kindOf(record: number): Kind {
  if (record % 97 === 0) return failure
  if (record % 31 === 0) return slowQuery
  if (record % 7 === 0) return mail
  return record % 4 === 0 ? cacheMiss : request
}

/** Returns hexadecimal digits that look random, and are the same in every run. */
function digitsOf(number: number, length: number): string {
  const mixed = BigInt(number + 1) * 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835n
  return (mixed % (1n << BigInt(length * 4))).toString(16).padStart(length, '0')
}

/** Returns the trace of a record. */
export function traceOf(record: number): string {
  return digitsOf(Math.floor(record / traceRecords), 32)
}

function spanOf(record: number): string {
  return digitsOf(Math.floor(record / 4), 16)
}

/** Returns the bytes of a request of OTLP with some records. */
export function logsRequest(from: number, until: number): Uint8Array<ArrayBuffer> {
  const records = Array.from({ length: until - from }, (_, at) => sdkRecord(from + at))
  return Uint8Array.from(ProtobufLogsSerializer.serializeRequest(records)!)
}

function sdkRecord(record: number): SdkRecord {
  const kind = kindOf(record)
  const time = timeOf(record)
  const hrTime = [Math.floor(time / 1_000), (time % 1_000) * 1_000_000]
  const order = 17_000 + Math.floor(record / 3)
  return {
    hrTime,
    hrTimeObserved: hrTime,
    severityNumber: kind.severity,
    severityText: kind.level,
    body: kind.message(order),
    attributes: kind.attributes(order),
    droppedAttributesCount: 0,
    resource: resources[kind.service],
    instrumentationScope: { name: kind.scope },
    spanContext: { traceId: traceOf(record), spanId: spanOf(record), traceFlags: 1 },
  } as unknown as SdkRecord
}

function nanos(time: number): string {
  return `${time}000000`
}

/** Returns a request of OTLP/JSON with the spans of the trace of a record. */
export function tracesRequest(record: number): string {
  const first = record - (record % traceRecords)
  const span = (index: number, name: string, begin: number, end: number, parent?: number, code = 0): object => ({
    traceId: traceOf(first),
    spanId: digitsOf(Math.floor(first / 4) + index, 16),
    parentSpanId: parent === undefined ? '' : digitsOf(Math.floor(first / 4) + parent, 16),
    name,
    startTimeUnixNano: nanos(timeOf(first) + begin),
    endTimeUnixNano: nanos(timeOf(first) + end),
    status: { code },
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  const spans = [
    span(0, 'POST /refunds', -12, 180),
    span(1, 'refund payment', 30, 130, 0, 2),
    span(2, 'SELECT orders', 34, 71, 1),
  ]
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
}
