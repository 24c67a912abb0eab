import type { Line, Log, Subject } from './subject.ts'

/** No logging: what a server or a program does without it. */
export const none: Subject = {
  title: 'no logging',
  whenFull: 'writes nothing',
  async open(): Promise<Log> {
    return {
      text() {},
      attributes() {},
      error() {},
      formatted() {},
      disabled() {},
      async flush() {},
    }
  },
  read(): Line {
    throw new Error('a line was written without logging')
  },
}
