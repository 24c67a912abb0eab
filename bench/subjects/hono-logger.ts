import { stripVTControlCharacters } from 'node:util'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, RequestLog, Subject } from './subject.ts'

/** The request logger of hono itself, which writes two lines of text for each request, without a time. */
export const honoLogger: Subject = {
  title: 'logger() of hono 4.13, which calls console.log',
  whenFull: 'keeps everything in memory, without a limit',
  async open(): Promise<Log> {
    const { logger } = await importRival<{ logger(): unknown }>('hono/logger')
    return {
      text: (message) => console.log(message),
      attributes: onlyRequests,
      requestLog: async (): Promise<RequestLog> => ({
        middleware: logger(),
        shape: { records: 2, hasDuration: true },
      }),
      flush: standardOutputDrained,
    }
  },
  read: onlyRequests,
  readText: readLine,
}

/** Parses `<-- GET /orders/4000` and `--> GET /orders/4000 200 1ms`, whose status can be colored. */
function readLine(text: string): Line {
  const [, direction, method, url, status, ms] =
    /^(<--|-->) (\S+) (\S+)(?: (\d+) (\d+)ms)?$/.exec(stripVTControlCharacters(text)) ?? []
  const line = { time: Date.now(), level: 'info' }
  if (direction === '<--') return { ...line, message: 'request received', attributes: { method, url } }
  return {
    ...line,
    message: 'request completed',
    attributes: { method, url, status: Number(status), ms: ms === undefined ? undefined : Number(ms) },
  }
}

function onlyRequests(): never {
  throw new Error('the logger of hono logs requests only')
}
