import type { HttpVariant } from '../methods/http/variant.ts'
import type { Scenario } from './scenario.ts'

const variant = (service: HttpVariant['service']): HttpVariant => ({
  service,
  connections: 10,
  warmUpSeconds: 1,
  seconds: 2,
  subjects: ['sluice-default', 'none', 'console', 'pino-sync', 'pino-async', 'winston'],
})

export const httpCsv: Scenario = {
  description:
    'A server that parses CSV uploads of 1,000 rows, does the same work for each row, and logs a record of it to a file',
  method: 'http',
  runs: 5,
  figures: ['rows', 'handler', 'cpu', 'busy', 'leftover'],
  compared: ['rows', 'cpu'],
  ours: 'sluice-default',
  targets: [{ variants: ['ascii', 'two-byte'], figures: ['rows'], rival: 'none', limit: 0.8, atLeast: true }],
  variants: { ascii: variant('csv-ascii'), 'two-byte': variant('csv-two-byte') },
}
