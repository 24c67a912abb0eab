import type { EventEmitter } from 'node:events'
import { censor, type Line, type Log, type LogSetup, type Subject } from './subject.ts'

// Written down here, because the rivals are installed for the benchmark only, and types are checked without them.
interface Pino {
  (options: object, destination: PinoDestination): PinoLogger
  destination(options: object): PinoDestination
}
interface PinoLogger {
  info(message: string): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
  child(bound: object): PinoLogger
}
export interface PinoDestination extends EventEmitter {
  /** Bytes that wait, those in flight included. */
  readonly _len: number
  flush(): void
}

/** pino without `pid` and `hostname`, which the others do not say either. Its own time format, the cheapest it has. */
export function pinoSubject(
  { title, whenFull }: Pick<Subject, 'title' | 'whenFull'>,
  options: object,
  flush: (destination: PinoDestination) => Promise<void> | void,
): Subject {
  async function open({ bound, redact }: LogSetup): Promise<Log> {
    const name = 'pino'
    const { default: pino } = (await import(name)) as { default: Pino }
    const destination = pino.destination({ dest: 1, ...options })
    const hidden = redact === undefined ? {} : { redact: { paths: [...redact], censor } }
    const root = pino({ level: 'info', base: null, ...hidden }, destination)
    const log = bound === undefined ? root : root.child(bound)
    return {
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      // What pino puts in place of a disabled method looks at no argument, so their order does not matter.
      disabled: log.debug as (...said: unknown[]) => void,
      flush: () => flush(destination),
    }
  }
  return { title, whenFull, open, read }
}

function read({ time, level, msg, ...attributes }: Readonly<Record<string, unknown>>): Line {
  return { time: Number(time), level: level === 30 ? 'info' : String(level), message: msg, attributes }
}
