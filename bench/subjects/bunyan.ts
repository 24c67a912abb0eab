import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { omit } from './omit.ts'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

interface Bunyan {
  createLogger(options: object): BunyanLogger
}
interface BunyanLogger {
  info(message: string): void
  info(format: string, ...values: unknown[]): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
  child(bound: object): BunyanLogger
  /** Only in `sluice/bunyan`. */
  flush?(): Promise<void>
}

/** bunyan as in its documentation. Its lines always contain a name, the pid and the host name. */
export const bunyan: Subject = bunyanSubject(
  { title: 'bunyan 2.0, a stream to process.stdout', whenFull: 'keeps everything in memory, without a limit' },
  async () => (await importRival<{ default: Bunyan }>('bunyan')).default,
  { stream: process.stdout },
  standardOutputDrained,
)

/** The compatible API with its defaults: standard output, written at the end of the turn from a bounded queue. */
export const bunyanCompat: Subject = bunyanSubject(
  { title: 'sluice/bunyan', whenFull: 'drops the least severe records over 16 MiB' },
  async (build) => ((await import(pathToFileURL(join(build, 'bunyan.js')).href)) as { default: Bunyan }).default,
  {},
  (log) => log.flush!(),
)

function bunyanSubject(
  head: Pick<Subject, 'title' | 'whenFull'>,
  load: (build: string) => Promise<Bunyan>,
  options: object,
  flush: (log: BunyanLogger) => Promise<void>,
): Subject {
  return { ...head, open, read }

  async function open({ bound, nestedBound }: LogSetup, build: string): Promise<Log> {
    const root = (await load(build)).createLogger({ name: 'bench', level: 'info', ...options })
    const child = bound === undefined ? root : root.child(bound)
    const log = nestedBound === undefined ? child : child.child(nestedBound)
    return {
      child(bound) {
        const child = log.child(bound)
        return { attributes: (message, attributes) => child.info(attributes, message) }
      },
      requestChild(bound, nested, from, to) {
        const child = log.child(bound)
        const inner = nested === undefined ? child : child.child(nested)
        for (let i = from; i < to; i++) inner.info({ seq: i }, 'row imported')
        return inner
      },
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      error: (message, error) => log.info(error, message),
      formatted: (format, name, count) => log.info(format, name, count),
      disabled: (message, attributes) => log.debug(attributes, message),
      flush: () => flush(log),
    }
  }
}

function read({ time, level, msg, err, ...rest }: BunyanLine): Line {
  return {
    time: Date.parse(String(time)),
    level: level === 30 ? 'info' : String(level),
    message: msg,
    attributes: omit(rest, 'name', 'pid', 'hostname', 'v'),
    error: err && { type: err.name, message: err.message, stack: err.stack },
  }
}

interface BunyanLine extends Record<string, unknown> {
  err?: { name: string; message: string; stack: string }
}
