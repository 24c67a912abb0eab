import { sluiceSubject } from './sluice.ts'

/** sluice without loss of records. */
export const sluiceBlock = sluiceSubject(
  { title: 'sluice, fdExporter({ onFull: "block" }), 16 MiB', whenFull: 'waits for the reader over 16 MiB' },
  { onFull: 'block' },
)
