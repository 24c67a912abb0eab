import type { EncodeVariant } from '../methods/encode/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const variant = (otlp: 'http/json' | 'http/protobuf'): EncodeVariant => ({
  setup: { otlp },
  run: payload.run,
  expected: payload.expected,
  records: 100_000,
  warmUp: 200_000,
  subjects: ['sluice-otlp', 'otlp-transformer'],
  more: ['sdk-logs-otlp'],
})

/** The official serializers are given records that are finished; a log call of ours does all that comes before, too. */
export const otlp: Scenario = {
  question: 'Requests of OTLP, 512 records each: a message and three attributes',
  method: 'encode',
  figures: ['drain', 'cpu', 'bytes'],
  compared: ['drain', 'cpu'],
  ours: 'sluice-otlp',
  targets: [
    { variants: ['json'], figures: ['drain'], rival: 'otlp-transformer', limit: 0.4 },
    { variants: ['protobuf'], figures: ['drain'], rival: 'otlp-transformer', limit: 0.35 },
  ],
  variants: { json: variant('http/json'), protobuf: variant('http/protobuf') },
}
