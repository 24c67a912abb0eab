import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

interface RoarrLogger {
  info(message: string, ...values: unknown[]): void
  info(attributes: object, message: string): void
  child(bound: object): RoarrLogger
}

/** roarr writes all levels or none, and writes errors as empty objects. */
export const roarr: Subject = {
  title: 'roarr 7.21, to process.stdout',
  whenFull: 'keeps everything in memory, without a limit',
  open,
  read,
}

async function open({ bound, nestedBound }: LogSetup): Promise<Log> {
  // roarr reads this variable when it is loaded, and has no other option to enable it.
  process.env['ROARR_LOG'] = 'true'
  const { Roarr: root } = await importRival<{ Roarr: RoarrLogger }>('roarr')
  const child = bound === undefined ? root : root.child(bound)
  const log = nestedBound === undefined ? child : child.child(nestedBound)
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(attributes, message),
    formatted: (format, name, count) => log.info(format, name, count),
    flush: standardOutputDrained,
  }
}

function read({ time, message, context }: Readonly<Record<string, unknown>>): Line {
  const { logLevel, ...attributes } = context as Readonly<Record<string, unknown>>
  return { time: Number(time), level: logLevel === 30 ? 'info' : String(logLevel), message, attributes }
}
