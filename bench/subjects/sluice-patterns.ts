import { sluiceSubject } from './sluice.ts'

/** sluice with redaction of secrets inside strings. */
export const sluicePatterns = sluiceSubject(
  {
    title: 'sluice with all presets of redaction patterns',
    whenFull: 'waits for the reader over 64 MiB',
  },
  { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 },
  { patterns: ['credentials', 'jwt', 'card', 'email'] },
)
