import { createWriteStream } from 'node:fs'
import { plainLine, readPlainLine } from './plain-line.ts'
import { drained } from './standard-output.ts'
import type { Log, Subject } from './subject.ts'

/** A write stream without a logger, which writes in the background. */
export const fsStream: Subject = {
  title: 'fs.createWriteStream, write(JSON.stringify({ time, level, message, ... }))',
  whenFull: 'keeps everything in memory, without a limit',
  async open(): Promise<Log> {
    // The path is not used if there is a descriptor.
    const stream = createWriteStream('', { fd: 1, autoClose: false })
    return {
      text: (message) => void stream.write(`${plainLine(message)}\n`),
      attributes: (message, attributes) => void stream.write(`${plainLine(message, attributes)}\n`),
      flush: () => drained(stream),
    }
  },
  read: readPlainLine,
}
