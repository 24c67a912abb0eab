import type { MemoryVariant } from '../methods/memory/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const million: Omit<MemoryVariant, 'to' | 'subjects'> = {
  ...payload,
  records: 1_000_000,
  warmUp: 1_000,
}

export const memory: Scenario = {
  description:
    'Memory of a burst of a million records, a message and three attributes each, in a process without warm-up',
  method: 'memory',
  runs: 3,
  figures: ['memory', 'allocated'],
  compared: ['memory', 'allocated'],
  targets: [{ variants: ['null', 'file'], figures: ['memory'], limit: 60 }],
  variants: {
    null: { ...million, to: 'null', subjects: ['sluice', 'pino-sync'], more: ['sluice-block'] },
    file: {
      ...million,
      to: 'file',
      subjects: ['sluice', 'pino-async'],
      more: ['sluice-default', 'pino-sync', 'pino-transport', 'winston-stream', 'sdk-logs'],
    },
    pipe: { ...million, to: 'pipe', subjects: ['sluice', 'pino-async'] },
  },
}
