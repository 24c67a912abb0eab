import { openPino } from './pino-destination.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'

export const open: OpenSubject = openPino({})
export const facts: SubjectFacts = {
  package: 'pino',
  setup: '`pino(pino.destination(path))`, which writes synchronously; `error` is listened to',
}
