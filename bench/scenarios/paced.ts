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

/** At this rate no queue becomes full, so a run that loses a record is invalid. */
export const paced: Scenario = {
  description:
    '20,000 records per second, a message and three attributes each; call times without the two clock reads around each call',
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
    // The limit of the queue, 16 MiB, plus 48 MB.
    { variants: ['stalled-pipe'], figures: ['memory'], limit: 64.8 },
  ],
  variants: {
    file: { ...steady, to: 'file' },
    /** The reader sleeps during 40,000 records, about 6 MB, which fit into the default queue. */
    'stalled-pipe': { ...steady, to: 'pipe', records: 90_000, stallMillis: 2_000 },
  },
}
