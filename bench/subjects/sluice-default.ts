import { sluiceSubject } from './sluice.ts'

/** As it is when nothing is said. */
export const sluiceDefault = sluiceSubject(
  {
    title: 'sluice, fdExporter() (onFull: "dropLowest", maxQueueBytes: 16 MiB)',
    whenFull: 'drops the least severe beyond 16 MiB, and counts it',
  },
  {},
)
