import type { Line, Log, Subject } from './subject.ts'

/** A server or a program without logging. */
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
