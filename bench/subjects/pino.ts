import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { activeSpan } from './active-span.ts'
import { importRival } from './rival.ts'
import { censor, type Line, type Log, type LogSetup, type Subject } from './subject.ts'

// Declared here, because rivals are installed for the benchmark only, and types are checked without them.
export interface Pino {
  (options: object, destination: object): PinoLogger
  destination(options: object): PinoDestination
  transport(options: object): PinoTransport
}
interface PinoLogger {
  info(message: string, ...values: unknown[]): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
  child(bound: object): PinoLogger
}
export interface PinoDestination extends EventEmitter {
  /** Pending bytes, including those in flight. */
  readonly _len: number
  flush(): void
  write(line: string): unknown
}

export interface PinoTransport extends EventEmitter {
  flush(done: (error?: Error) => void): void
}

/** Creates a subject of pino without `pid` and `hostname`, like the other subjects, and with its fastest time format. */
export function pinoSubject<D extends object>(
  { title, whenFull }: Pick<Subject, 'title' | 'whenFull'>,
  destinationOf: (pino: Pino) => D,
  flush: (destination: D) => Promise<void> | void,
  load: (build: string) => Promise<Pino> = loadPino,
): Subject {
  async function open(setup: LogSetup, build: string): Promise<Log> {
    const pino = await load(build)
    const destination = destinationOf(pino)
    const root = pino(await optionsFor(setup), destination)
    const { bound, nestedBound } = setup
    const child = bound === undefined ? root : root.child(bound)
    const log = nestedBound === undefined ? child : child.child(nestedBound)
    function records(from: number, to: number): void {
      for (let i = from; i < to; i++) log.info({ seq: i }, 'row imported')
    }
    return {
      logger: log,
      requestChild(bound, nested, from, to) {
        const child = log.child(bound)
        const inner = nested === undefined ? child : child.child(nested)
        for (let i = from; i < to; i++) inner.info({ seq: i }, 'row imported')
        return inner
      },
      requestContext(bound, nested, from, to) {
        contexts.run(bound, () => {
          if (nested === undefined) records(from, to)
          else contexts.run({ ...bound, ...nested }, () => records(from, to))
        })
      },
      text: (message) => log.info(message),
      attributes: (message, attributes) => log.info(attributes, message),
      attributesFirst: (attributes, message) => log.info(attributes, message),
      error: (message, error) => log.info(error, message),
      formatted: (format, name, count) => log.info(format, name, count),
      // A disabled method of pino ignores its arguments, so their order does not matter.
      disabled: log.debug as (...args: unknown[]) => void,
      child(bound) {
        const child = log.child(bound)
        return { attributes: (message, attributes) => child.info(attributes, message) }
      },
      flush: () => flush(destination),
    }
  }
  return { title, whenFull, open, read }
}

async function loadPino(): Promise<Pino> {
  return (await importRival<{ default: Pino }>('pino')).default
}

/** The usual way to add attributes of a request to pino. */
const contexts = new AsyncLocalStorage<object>()

async function optionsFor({ redact, redactKeys, trace, context, serializers }: LogSetup): Promise<object> {
  // pino has no paths for any depth, so its users write a wildcard for each level.
  const anyDepth = redactKeys?.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  const paths = [...(redact ?? []), ...(anyDepth ?? [])]
  return {
    level: 'info',
    base: null,
    ...(paths.length > 0 && { redact: { paths, censor } }),
    ...(trace !== undefined && { mixin: await activeSpan() }),
    ...(serializers !== undefined && { serializers }),
    ...(context === true && { mixin: () => contexts.getStore() ?? {} }),
  }
}

function read({ time, level, msg, err, trace_id, span_id, ...attributes }: PinoLine): Line {
  delete attributes['trace_flags']
  return {
    time: Number(time),
    level: level === 30 ? 'info' : String(level),
    message: msg,
    attributes,
    error: err && { type: err.type, message: err.message, stack: err.stack },
    trace: trace_id === undefined ? undefined : { traceId: trace_id, spanId: span_id },
  }
}

interface PinoLine extends Record<string, unknown> {
  err?: { type: string; message: string; stack: string }
  trace_id?: string
  span_id?: string
}
