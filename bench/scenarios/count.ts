import type { CountVariant } from '../methods/count/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { Scenario } from './scenario.ts'

function toAMillion(to: Destination): CountVariant {
  return {
    to,
    subjects: ['sluice', 'pino-sync', 'pino-async', 'console', 'log-buffer'],
    records: 1_000_000,
    warmUp: 0,
    perTurn: Infinity,
    tracedAtMost: { 'pino-sync': 100_000, console: 100_000 },
    setup: {},
    run(log, from, toIndex) {
      for (let i = from; i < toIndex; i++) log.text(`${i}`)
    },
    expected: (i) => ({ message: `${i}`, attributes: {} }),
  }
}

export const count: Scenario = {
  description:
    'The numbers up to a million as messages; system calls counted by strace, for 100,000 records if each record is a write',
  method: 'count',
  runs: 2,
  figures: ['loop', 'drain', 'bytes', 'writes', 'writesPerPiece', 'shortWrites', 'refusals'],
  compared: ['loop', 'drain'],
  targets: [
    { variants: ['null', 'file'], figures: ['writesPerPiece'], limit: 1 },
    { variants: ['pipe'], figures: ['writesPerPiece'], limit: 1.3 },
  ],
  variants: { null: toAMillion('null'), file: toAMillion('file'), pipe: toAMillion('pipe') },
}
