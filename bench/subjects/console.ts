import { plainLine, readPlainLine } from './plain-line.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Log, Subject } from './subject.ts'

/** No logger at all. */
export const consoleLog: Subject = {
  title: 'console.log(JSON.stringify({ time, level, message, ... }))',
  whenFull: 'keeps everything in memory, without a bound',
  async open(): Promise<Log> {
    return {
      text: (message) => console.log(plainLine(message)),
      attributes: (message, attributes) => console.log(plainLine(message, attributes)),
      flush: standardOutputDrained,
    }
  },
  read: readPlainLine,
}
