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
}

/** As its documentation has it. Its lines always say a name, the pid and the host. */
export const bunyan: Subject = {
  title: 'bunyan 2.0, a stream to process.stdout',
  whenFull: 'keeps everything in memory, without a bound',
  open,
  read,
}

async function open({ bound, boundAgain }: LogSetup): Promise<Log> {
  const { default: rival } = await importRival<{ default: Bunyan }>('bunyan')
  const root = rival.createLogger({ name: 'bench', level: 'info', stream: process.stdout })
  const child = bound === undefined ? root : root.child(bound)
  const log = boundAgain === undefined ? child : child.child(boundAgain)
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(attributes, message),
    error: (message, error) => log.info(error, message),
    formatted: (format, name, count) => log.info(format, name, count),
    disabled: (message, attributes) => log.debug(attributes, message),
    flush: standardOutputDrained,
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
