import { omit } from './omit.ts'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, Subject } from './subject.ts'

interface Bole {
  (name: string): BoleLogger
  output(options: object): Bole
  setFastTime(): void
}
interface BoleLogger {
  info(message: string, ...values: unknown[]): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
}

/** Its loggers have no attributes to bind, and its lines always say a name, the pid and the host. */
export const bole: Subject = {
  title: 'bole 6.0, fast time, a stream to process.stdout',
  whenFull: 'keeps everything in memory, without a bound',
  async open(): Promise<Log> {
    const { default: rival } = await importRival<{ default: Bole }>('bole')
    rival.output({ level: 'info', stream: process.stdout })
    rival.setFastTime()
    const log = rival('bench')
    return {
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      error: (message, error) => log.info(error, message),
      formatted: (format, name, count) => log.info(format, name, count),
      disabled: (message, attributes) => log.debug(attributes, message),
      flush: standardOutputDrained,
    }
  },
  read,
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
