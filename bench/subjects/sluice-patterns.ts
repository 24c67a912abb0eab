import { sluiceSubject } from './sluice.ts'

/** For those whose secrets stand in texts. */
export const sluicePatterns = sluiceSubject(
  {
    title: 'sluice with all presets of patterns',
    whenFull: 'waits for the reader beyond 64 MiB',
  },
  { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 },
  { patterns: ['credentials', 'jwt', 'card', 'email'] },
)
