import type { CountVariant } from '../methods/count/variant.ts'
import type { Destination } from '../run/destination.ts'
import type { Scenario } from './scenario.ts'

function millionLines(to: Destination): CountVariant {
  return {
    to,
    subjects: ['sluice-console', 'sluice-records', 'console', 'log-buffer'],
    records: 1_000_000,
    warmUp: 0,
    perTurn: Infinity,
    tracedAtMost: { console: 100_000 },
    setup: {},
    run(log, from, toIndex) {
      for (let i = from; i < toIndex; i++) log.text(`line ${i}`)
    },
    expected: (i) => ({ message: `line ${i}`, attributes: {} }),
  }
}

export const consoleLines: Scenario = {
  description:
    'A million lines with console.log; system calls counted by strace, for 100,000 lines if each line is a write',
  method: 'count',
  ours: 'sluice-console',
  runs: 3,
  figures: ['loop', 'drain', 'bytes', 'writes', 'writesPerPiece', 'shortWrites', 'refusals'],
  compared: ['loop', 'drain'],
  targets: [
    { variants: ['null', 'file'], figures: ['writesPerPiece'], limit: 1 },
    { variants: ['pipe'], figures: ['writesPerPiece'], limit: 1.3 },
    { variants: ['null', 'file'], figures: ['loop'], rival: 'console', limit: 1 },
    { variants: ['null', 'file', 'pipe'], figures: ['loop'], rival: 'log-buffer', limit: 1 },
    // To a pipe, the console keeps unread lines in memory, while sluice waits for the reader.
    { variants: ['null', 'file', 'pipe'], figures: ['drain'], rival: 'console', limit: 1 },
  ],
  variants: { null: millionLines('null'), file: millionLines('file'), pipe: millionLines('pipe') },
}
