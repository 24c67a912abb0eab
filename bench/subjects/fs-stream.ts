import { createWriteStream } from 'node:fs'
import { plainLine, readPlainLine } from './plain-line.ts'
import { drained } from './standard-output.ts'
import type { Log, Subject } from './subject.ts'

/** No logger either: what is written by those who want the writes off the calling thread. */
export const fsStream: Subject = {
  title: 'fs.createWriteStream, write(JSON.stringify({ time, level, message, ... }))',
  whenFull: 'keeps everything in memory, without a bound',
  async open(): Promise<Log> {
    // The path is not looked at where there is a descriptor.
    const stream = createWriteStream('', { fd: 1, autoClose: false })
    return {
      text: (message) => void stream.write(`${plainLine(message)}\n`),
      attributes: (message, attributes) => void stream.write(`${plainLine(message, attributes)}\n`),
      flush: () => drained(stream),
    }
  },
  read: readPlainLine,
}
