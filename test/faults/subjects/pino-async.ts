import { openPino } from './pino-destination.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'

export const open: OpenSubject = openPino({ sync: false, minLength: 4_096 })
export const facts: SubjectFacts = {
  package: 'pino',
  setup:
    '`pino.destination({ dest, minLength: 4096, sync: false })`, as its page on asynchronous logging has it; `error` is listened to',
}
