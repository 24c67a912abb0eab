import type { MemoryVariant } from '../methods/memory/variant.ts'
import { payload } from './object.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Scenario } from './scenario.ts'

const more: readonly SubjectName[] = [
  'sluice-default',
  'sluice-block',
  'pino-sync',
  'pino-transport',
  'winston-stream',
  'sdk-logs',
]

const million: Omit<MemoryVariant, 'to'> = {
  ...payload,
  records: 1_000_000,
  warmUp: 1_000,
  subjects: ['sluice', 'pino-async'],
  more,
}

export const memory: Scenario = {
  question: 'Memory for a burst of a million, a message and three attributes each, in a cold process',
  method: 'memory',
  figures: ['memory', 'allocated'],
  compared: ['memory', 'allocated'],
  targets: [{ variants: ['null', 'file'], figures: ['memory'], limit: 60 }],
  variants: {
    null: { ...million, to: 'null' },
    file: { ...million, to: 'file' },
    // A queue of 16 MiB that sheds loses some of a burst that no reader can follow: no figure of memory for it.
    pipe: { ...million, to: 'pipe', more: more.filter((name) => name !== 'sluice-default'), fullOnly: true },
  },
}
