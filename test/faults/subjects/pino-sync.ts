import { pino } from 'pino'
import { openPino } from './pino-destination.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'

export const open: OpenSubject = openPino((dest) => pino.destination({ dest, sync: true }))
export const facts: SubjectFacts = {
  package: 'pino',
  setup: '`pino(pino.destination({ dest, sync: true }))`; with an `error` listener',
}
