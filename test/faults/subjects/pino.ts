import { pino } from 'pino'
import { openPino } from './pino-destination.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'

export const open: OpenSubject = openPino((dest) => pino.destination(dest))
export const facts: SubjectFacts = {
  package: 'pino',
  setup: '`pino(pino.destination(path))`, which uses `sync: false`; with an `error` listener',
}
