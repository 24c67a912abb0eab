import { sluiceSubject } from './sluice.ts'

/** sluice with its defaults. */
export const sluiceDefault = sluiceSubject(
  {
    title: 'sluice, fdExporter() (onFull: "dropLowest", maxQueueBytes: 16 MiB)',
    whenFull: 'drops the least severe records over 16 MiB, and counts them',
  },
  {},
)
