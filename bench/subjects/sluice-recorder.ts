import { sluiceSubject } from './sluice.ts'

const whenFull = 'waits for the reader over 64 MiB'
const exporterOptions = { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 } as const

/** sluice with a flight recorder that holds all records of the scenario. */
export const sluiceHeld = sluiceSubject({ title: 'sluice, held by the flight recorder', whenFull }, exporterOptions, {
  level: 'warn',
  recorder: { level: 'info', by: 'tenant' },
})

/** sluice with a flight recorder that holds none of the records of the scenario, because they are written. */
export const sluiceWithRecorder = sluiceSubject(
  { title: 'sluice, written by a logger with a flight recorder', whenFull },
  exporterOptions,
  { recorder: { by: 'tenant' } },
)
