import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

export interface Winston {
  createLogger(options: object): WinstonLogger
  readonly format: { combine(...formats: object[]): object; timestamp(): object; json(): object }
  readonly transports: {
    readonly Console: new () => Writable
    readonly Stream: new (options: object) => Writable
  }
}
interface WinstonLogger {
  readonly readableLength: number
  readonly writableLength: number
  info(message: string, attributes?: object): void
  debug(message: string, attributes: object): void
  child(bound: object): WinstonLogger
}

export const winston = winstonSubject(
  {
    title: 'winston 3.19, Console transport, format.timestamp() and format.json()',
    whenFull: 'keeps everything in memory, without a limit',
  },
  ({ transports }) => ({ transport: new transports.Console(), drained: standardOutputDrained }),
)

/** A transport, and a function that waits until its lines are written. */
interface Output {
  readonly transport: Writable
  drained(): Promise<void>
}

/** Differences of subjects whose lines are not those of winston. */
interface Variation {
  readonly read?: Subject['read']
  format?(winston: Winston): object | undefined
}

/**
 * Creates a subject of winston without its formats for errors and printf: the first changes the message of the record, and
 * the second is optional.
 */
export function winstonSubject(
  { title, whenFull }: Pick<Subject, 'title' | 'whenFull'>,
  outputOf: (winston: Winston, build: string) => Output | Promise<Output>,
  { read = readOwn, format = ownFormat }: Variation = {},
): Subject {
  async function open({ bound, nestedBound }: LogSetup, build: string): Promise<Log> {
    const { default: rival } = await importRival<{ default: Winston }>('winston')
    const { transport, drained } = await outputOf(rival, build)
    const root = rival.createLogger({ level: 'info', format: format(rival), transports: [transport] })
    const child = bound === undefined ? root : root.child(bound)
    const log = nestedBound === undefined ? child : child.child(nestedBound)
    return {
      child(bound) {
        const child = log.child(bound)
        return { attributes: (message, attributes) => child.info(message, attributes) }
      },
      requestChild(bound, nested, from, to) {
        const child = log.child(bound)
        const inner = nested === undefined ? child : child.child(nested)
        for (let i = from; i < to; i++) inner.info('row imported', { seq: i })
        return inner
      },
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(message, attributes),
      disabled: (message, attributes) => log.debug(message, attributes),
      async flush() {
        // winston has no event for this except at its end, so poll the lengths of its streams.
        while (root.writableLength + root.readableLength + transport.writableLength > 0) await nextTurn()
        await drained()
      },
    }
  }
  return { title, whenFull, open, read }
}

function ownFormat({ format: { combine, timestamp, json } }: Winston): object {
  return combine(timestamp(), json())
}

function readOwn({ timestamp, level, message, ...attributes }: Readonly<Record<string, unknown>>): Line {
  return { time: Date.parse(String(timestamp)), level: String(level), message, attributes }
}
