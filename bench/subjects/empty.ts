import type { Line, Log, Subject } from './subject.ts'

/** An empty function, whose cost is that of any call. */
export const empty: Subject = {
  title: 'an empty function',
  whenFull: 'writes nothing',
  async open(): Promise<Log> {
    return {
      text: (message) => nothing(message),
      attributes: (message, attributes) => nothing(message, attributes),
      disabled: nothing,
      flush() {},
    }
  },
  read(): Line {
    throw new Error('an empty function wrote a line')
  },
}

function nothing(..._args: unknown[]): void {}
