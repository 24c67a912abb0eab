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
    whenFull: 'keeps everything in memory, without a bound',
  },
  ({ transports }) => ({ transport: new transports.Console(), drained: standardOutputDrained }),
)

/** Where its lines go, and when they are there. */
interface Output {
  readonly transport: Writable
  drained(): Promise<void>
}

/** What differs where its lines are not its own. */
interface Variation {
  readonly read?: Subject['read']
  format?(winston: Winston): object | undefined
}

/**
 * Without its formats for errors and printf: the one puts the error's message into that of the line, the other has to be
 * asked for.
 */
export function winstonSubject(
  { title, whenFull }: Pick<Subject, 'title' | 'whenFull'>,
  outputOf: (winston: Winston, build: string) => Output | Promise<Output>,
  { read = readOwn, format = ownFormat }: Variation = {},
): Subject {
  async function open({ bound, boundAgain }: LogSetup, build: string): Promise<Log> {
    const { default: rival } = await importRival<{ default: Winston }>('winston')
    const { transport, drained } = await outputOf(rival, build)
    const root = rival.createLogger({ level: 'info', format: format(rival), transports: [transport] })
    const child = bound === undefined ? root : root.child(bound)
    const log = boundAgain === undefined ? child : child.child(boundAgain)
    return {
      child(bound) {
        const child = log.child(bound)
        return { attributes: (message, attributes) => child.info(message, attributes) }
      },
      requestChild(bound, again, from, to) {
        const child = log.child(bound)
        const inner = again === undefined ? child : child.child(again)
        for (let i = from; i < to; i++) inner.info('row imported', { seq: i })
        return inner
      },
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(message, attributes),
      disabled: (message, attributes) => log.debug(message, attributes),
      async flush() {
        // Nothing tells when it has passed everything on, save for its end.
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
