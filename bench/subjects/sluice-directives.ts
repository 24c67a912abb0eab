import { sluiceSubject } from './sluice.ts'

/** sluice with a directive whose condition does not match, so that it is tested for each disabled call. */
export const sluiceDirective = sluiceSubject(
  { title: 'sluice, level: "info,[tenant=acme]=debug"', whenFull: 'waits for the reader over 64 MiB' },
  { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 },
  { level: 'info,[tenant=acme]=debug' },
)
