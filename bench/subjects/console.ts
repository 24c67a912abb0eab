import { plainLine, readPlainLine } from './plain-line.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Log, Subject } from './subject.ts'

/** `console.log` without a logger. */
export const consoleLog: Subject = {
  title: 'console.log(JSON.stringify({ time, level, message, ... }))',
  whenFull: 'keeps everything in memory, without a limit',
  async open(): Promise<Log> {
    return {
      text: (message) => console.log(plainLine(message)),
      attributes: (message, attributes) => console.log(plainLine(message, attributes)),
      flush: standardOutputDrained,
    }
  },
  read: readPlainLine,
}
