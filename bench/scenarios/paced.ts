import type { PacedVariant } from '../methods/paced/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const steady: Omit<PacedVariant, 'to'> = {
  ...payload,
  perSecond: 20_000,
  records: 60_000,
  warmUp: 20_000,
  subjects: ['sluice-block', 'pino-async'],
  more: ['sluice-default', 'pino-sync', 'pino-transport', 'winston', 'console'],
}

/** At this rate no queue is ever full, so a run that loses a record is void, whatever its policy. */
export const paced: Scenario = {
  question:
    '20,000 records a second, a message and three attributes each; the two looks at the clock around each call are taken off',
  method: 'paced',
  runs: 3,
  ours: 'sluice-block',
  figures: [
    'rate',
    'callP50',
    'callP99',
    'callP999',
    'callMax',
    'clock',
    'block',
    'loopDelay',
    'memory',
    'lost',
    'missing',
  ],
  compared: ['callP50', 'callP999', 'block', 'memory'],
  targets: [
    { variants: ['file', 'stalled-pipe'], figures: ['callP50'], rival: 'pino-async', limit: 0.3 },
    { variants: ['file', 'stalled-pipe'], figures: ['callP999'], rival: 'pino-async', limit: 0.5 },
    { variants: ['stalled-pipe'], figures: ['block'], limit: 20 },
    // The bound of the queue, 16 MiB, and 48 MB.
    { variants: ['stalled-pipe'], figures: ['memory'], limit: 64.8 },
  ],
  variants: {
    file: { ...steady, to: 'file' },
    /** The reader sleeps while 40,000 records come, some 6 MB: all of them fit into the default queue. */
    'stalled-pipe': { ...steady, to: 'pipe', records: 90_000, stallMillis: 2_000 },
  },
}
