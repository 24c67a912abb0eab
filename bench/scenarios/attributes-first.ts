import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { paths } from './payload.ts'
import type { Scenario } from './scenario.ts'

const attributesOf = (i: number) => ({ seq: i, path: paths[i % paths.length], status: 200 })

function variant(to: Destination): BurstVariant {
  return {
    to,
    subjects: ['sluice', 'pino-sync', 'pino-buffered'],
    records: 20_000,
    warmUp: 20_000,
    perTurn: Infinity,
    setup: {},
    run(log, from, toIndex) {
      for (let i = from; i < toIndex; i++) log.attributesFirst!(attributesOf(i), 'request served')
    },
    expected: (i) => ({ message: 'request served', attributes: attributesOf(i) }),
  }
}

/** The argument order of pino, after a short warm-up, so that less code is optimized. */
export const attributesFirst: Scenario = {
  description: 'Three attributes as the first argument, then the message, after 20,000 warm-up records',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'drain', 'cpu'],
  compared: ['loop', 'cpu'],
  targets: [{ variants: ['null', 'file'], figures: ['loop'], rival: 'pino-sync', limit: 0.28 }],
  variants: { null: variant('null'), file: variant('file') },
}
