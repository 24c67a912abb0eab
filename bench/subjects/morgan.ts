import { createWriteStream } from 'node:fs'
import { importRival } from './rival.ts'
import { drained } from './standard-output.ts'
import type { Line, Log, RequestLog, Subject } from './subject.ts'

/** The usual request logger for express, which writes a line of text for each request. */
export const morgan: Subject = {
  title: "morgan 1.12, format 'combined', a write stream of node:fs",
  whenFull: 'keeps everything in memory, without a limit',
  async open(): Promise<Log> {
    const { default: middlewareOf } = await importRival<{
      default: (format: string, options: object) => unknown
    }>('morgan')
    // The path is not used if there is a descriptor.
    const stream = createWriteStream('', { fd: 1, autoClose: false })
    return {
      text: (message) => void stream.write(`${message}\n`),
      attributes: onlyRequests,
      requestLog: async (): Promise<RequestLog> => ({
        middleware: middlewareOf('combined', { stream }),
        shape: { records: 1, hasDuration: false },
      }),
      flush: () => drained(stream),
    }
  },
  read: onlyRequests,
  readText: readLine,
}

/** Parses `127.0.0.1 - - [21/Nov/2026:09:56:03 +0000] "GET /orders/4000 HTTP/1.1" 200 43 "-" "-"` */
function readLine(text: string): Line {
  const [, time = '', method, url, status] =
    /^\S+ - - \[(.*?)\] "(\S+) (\S+) HTTP\/1\.1" (\d+) \d+ "-" "-"$/.exec(text) ?? []
  return {
    time: Date.parse(time.replaceAll('/', ' ').replace(':', ' ')),
    level: 'info',
    message: 'request completed',
    attributes: { method, url, status: Number(status) },
  }
}

function onlyRequests(): never {
  throw new Error('morgan logs requests only')
}
