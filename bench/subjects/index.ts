import type { Subject } from './subject.ts'

/** Loaded on demand: a measured process carries no rival but its own. */
export const subjects = {
  sluice: async () => (await import('./sluice.ts')).sluice,
  baseline: async () => (await import('./sluice.ts')).baseline,
  'pino-sync': async () => (await import('./pino-sync.ts')).pinoSync,
  'pino-async': async () => (await import('./pino-async.ts')).pinoAsync,
  'pino-buffered': async () => (await import('./pino-buffered.ts')).pinoBuffered,
  empty: async () => (await import('./empty.ts')).empty,
} as const satisfies Readonly<Record<string, () => Promise<Subject>>>

export type SubjectName = keyof typeof subjects

export const subjectNames = Object.keys(subjects) as readonly SubjectName[]
