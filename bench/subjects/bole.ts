import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { omit } from './omit.ts'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, Subject } from './subject.ts'

interface Bole {
  (name: string): BoleLogger
  output(options: object): Bole
  setFastTime(): void
  /** Only in `sluice/bole`. */
  flush?(): Promise<void>
}
interface BoleLogger {
  info(message: string, ...values: unknown[]): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
}

/** bole has no bound attributes, and its lines always contain a name, the pid and the host name. */
export const bole: Subject = boleSubject(
  { title: 'bole 6.0, fast time, a stream to process.stdout', whenFull: 'keeps everything in memory, without a limit' },
  async () => (await importRival<{ default: Bole }>('bole')).default,
  { stream: process.stdout },
  standardOutputDrained,
)

/** The compatible API with its defaults: standard output, written at the end of the turn from a bounded queue. */
export const boleCompat: Subject = boleSubject(
  { title: 'sluice/bole, fast time', whenFull: 'drops the least severe records over 16 MiB' },
  async (build) => ((await import(pathToFileURL(join(build, 'bole.js')).href)) as { default: Bole }).default,
  {},
  (rival) => rival.flush!(),
)

function boleSubject(
  head: Pick<Subject, 'title' | 'whenFull'>,
  load: (build: string) => Promise<Bole>,
  options: object,
  flush: (rival: Bole) => Promise<void>,
): Subject {
  return { ...head, open, read }

  async function open(_: unknown, build: string): Promise<Log> {
    const rival = await load(build)
    rival.output({ level: 'info', ...options })
    rival.setFastTime()
    const log = rival('bench')
    return {
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      error: (message, error) => log.info(error, message),
      formatted: (format, name, count) => log.info(format, name, count),
      disabled: (message, attributes) => log.debug(attributes, message),
      flush: () => flush(rival),
    }
  }
}

function read({ time, level, message, err, ...rest }: BoleLine): Line {
  return {
    time: Number(time),
    level: String(level),
    message,
    attributes: omit(rest, 'name', 'pid', 'hostname'),
    error: err && { type: err.name, message: err.message, stack: err.stack },
  }
}

interface BoleLine extends Record<string, unknown> {
  err?: { name: string; message: string; stack: string }
}
