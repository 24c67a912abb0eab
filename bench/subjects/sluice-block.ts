import { sluiceSubject } from './sluice.ts'

/** For those who may lose nothing. */
export const sluiceBlock = sluiceSubject(
  { title: 'sluice, fdExporter({ onFull: "block" }), 16 MiB', whenFull: 'waits for the reader beyond 16 MiB' },
  { onFull: 'block' },
)
