import type { Payload } from '../methods/burst/variant.ts'
import type { EncodeVariant } from '../methods/encode/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import { payload as small } from './object.ts'
import { names, paths } from './payload.ts'
import { payload as formatted } from './printf.ts'
import type { Scenario } from './scenario.ts'

const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

const attributesOf = (i: number) => ({
  seq: i,
  customer: names[i % names.length],
  path: paths[i % paths.length],
  total: i * 1.25 + 0.5,
  items: i % 7,
  paid: i % 2 === 0,
})

/** A typical record of a request inside a span, about 290 bytes as a JSON line. */
const payload: Payload = {
  setup: { trace },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('order placed', attributesOf(i))
  },
  expected: (i) => ({ message: 'order placed', attributes: attributesOf(i), trace }),
}

function variant(
  otlp: 'http/json' | 'http/protobuf',
  { setup, run, expected }: Payload,
  subjects: readonly SubjectName[],
): EncodeVariant {
  return { setup: { ...setup, otlp }, run, expected, records: 100_000, warmUp: 200_000, subjects }
}

/** Serializers without the rest: both receive finished records. That of sluice includes redaction, as a log call does. */
export const otlpEncoding: Scenario = {
  description: 'OTLP requests of 512 finished records: six attributes and a span, or three attributes',
  method: 'encode',
  figures: ['drain', 'cpu', 'bytes'],
  compared: ['drain', 'cpu'],
  ours: 'part-otlp',
  targets: [{ variants: ['json', 'protobuf'], figures: ['drain'], rival: 'otlp-transformer', limit: 0.25 }],
  variants: {
    json: variant('http/json', payload, ['part-otlp', 'otlp-transformer']),
    protobuf: variant('http/protobuf', payload, ['part-otlp', 'otlp-transformer']),
    'json, three attributes': variant('http/json', small, ['part-otlp', 'otlp-transformer']),
    'protobuf, three attributes': variant('http/protobuf', small, ['part-otlp', 'otlp-transformer']),
  },
}

const imported: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.templated!({ name: names[i % names.length]!, count: i })
  },
  expected: (i) => ({
    message: `${names[i % names.length]} imported ${i} rows`,
    attributes: { name: names[i % names.length], count: i },
  }),
}

/** Compared with messages that the caller composes. The text of each record is new in both cases. */
export const otlpMessages: Scenario = {
  description: 'Messages with placeholders in OTLP requests: {name} or %s',
  method: 'encode',
  figures: ['drain', 'cpu', 'bytes'],
  compared: ['drain', 'cpu'],
  ours: 'sluice-otlp',
  targets: [{ variants: ['template', 'printf'], figures: ['drain', 'cpu'], rival: 'sluice-otlp-composed', limit: 1.4 }],
  variants: {
    template: variant('http/protobuf', imported, ['sluice-otlp', 'sluice-otlp-composed']),
    printf: variant('http/protobuf', formatted, ['sluice-otlp', 'sluice-otlp-composed']),
  },
}

/** All steps from the log call, or from `emit` of the official SDK, to the request. */
export const otlp: Scenario = {
  description: 'From log calls to OTLP requests of 512 records: a message and three attributes',
  method: 'encode',
  figures: ['drain', 'cpu', 'bytes'],
  compared: ['drain', 'cpu'],
  ours: 'sluice-otlp',
  targets: [],
  variants: {
    json: variant('http/json', small, ['sluice-otlp', 'sdk-logs-otlp']),
    protobuf: variant('http/protobuf', small, ['sluice-otlp', 'sdk-logs-otlp']),
  },
}
