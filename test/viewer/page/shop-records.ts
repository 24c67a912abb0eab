import type { TestRecord } from '../support.ts'

export const startTime: number = Date.UTC(2026, 0, 2, 3, 4, 5)
export const traceId = '0af7651916cd43dd8448eb211c80319c'

const stack = [
  'TypeError: the amount is not a number',
  '    at refund (/srv/shop/src/refund.ts:12:9)',
  '    at handle (/srv/shop/src/http.ts:40:3)',
  '    at Layer.handle (/srv/shop/node_modules/express/lib/layer.js:95:5)',
  '    at next (/srv/shop/node_modules/express/lib/route.js:149:13)',
  '    at node:internal/process/task_queues:105:5',
].join('\n')

/** Records of three services: 20 of `shop`, 10 of them with the level debug, a warning of `mail`, and an error of `payments`, which is the last. */
export const shopRecords: readonly TestRecord[] = [
  ...Array.from({ length: 20 }, (_, at) => ({
    time: startTime + at * 100,
    severityNumber: at % 2 === 0 ? 9 : 5,
    body: `GET /orders/${at} handled`,
    attributes: { 'http.route': '/orders/:id', tenant: at % 4 === 0 ? 'acme' : 'globex', duration_ms: at * 10 },
  })),
  {
    time: startTime + 3_000,
    severityNumber: 13,
    body: 'the mail server is slow',
    service: 'mail',
    traceId,
    spanId: '00f067aa0ba902b7',
    attributes: { attempt: 2 },
  },
  {
    time: startTime + 4_000,
    severityNumber: 17,
    body: 'payment failed',
    service: 'payments',
    traceId,
    spanId: '00f067aa0ba902b8',
    attributes: {
      tenant: 'acme',
      order: { id: 17, items: [{ sku: 'a-1' }, { sku: 'b-2' }], paid: false },
      'exception.type': 'TypeError',
      'exception.message': 'the amount is not a number',
      'exception.stacktrace': stack,
    },
  },
]

const nanos = (time: number): string => `${time}000000`

/** Two spans of the trace: `charge card` in `POST /orders`. */
export const shopSpans: readonly object[] = [
  {
    traceId,
    spanId: '00f067aa0ba902b8',
    parentSpanId: '00f067aa0ba902b7',
    name: 'charge card',
    startTimeUnixNano: nanos(startTime + 3_500),
    endTimeUnixNano: nanos(startTime + 4_100),
    status: { code: 2 },
  },
  {
    traceId,
    spanId: '00f067aa0ba902b7',
    name: 'POST /orders',
    startTimeUnixNano: nanos(startTime + 2_900),
    endTimeUnixNano: nanos(startTime + 4_200),
  },
]
