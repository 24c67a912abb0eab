import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FdExporterOptions } from '../../src/entries/exporters.ts'
import type { Logger, LoggerOptions, RedactPattern } from '../../src/entries/index.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

const mebibyte = 1024 * 1024
/** Of the package itself, for what says nothing. */
const defaultQueueBytes = 16 * mebibyte

/** With room for a whole burst, as pino's memory without a bound has: nothing is lost, and nobody waited for. */
export const sluice = sluiceSubject(
  {
    title: 'sluice, fdExporter({ onFull: "block", maxQueueBytes: 64 MiB })',
    whenFull: 'waits for the reader beyond 64 MiB',
  },
  { onFull: 'block', maxQueueBytes: 64 * mebibyte },
)

/** Another build of the same package, to tell what a change has done. */
export const baseline: Subject = { ...sluice, title: 'sluice, the build given as --baseline' }

/** What differs from subject to subject beside the exporter. */
interface Variation {
  readonly readLine?: Subject['read']
  readonly patterns?: readonly RedactPattern[]
  readonly profile?: LoggerOptions['profile']
}

/** What ships: the built package, written to the standard output with the defaults, except for the options given. */
export function sluiceSubject(
  { title, whenFull }: Pick<Subject, 'title' | 'whenFull'>,
  options: FdExporterOptions,
  { readLine = read, ...variation }: Variation = {},
): Subject {
  return { title, whenFull, open: (setup, build) => open(setup, build, options, variation), read: readLine }
}

async function open(
  setup: LogSetup,
  build: string,
  options: FdExporterOptions,
  { patterns, profile }: Omit<Variation, 'readLine'>,
): Promise<Log> {
  const { createLogger, withContext } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
  const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
  const { bound, boundAgain, redact = [], redactKeys, roomFor, serializers } = setup
  const root = createLogger({
    level: 'info',
    // Builds that are compared may not know it.
    ...(profile !== undefined && { profile }),
    redact: redactKeys === undefined && patterns === undefined ? redact : { paths: redact, keys: redactKeys, patterns },
    ...(serializers !== undefined && { serializers }),
    limits: roomFor === undefined ? undefined : { recordBytes: roomFor },
    exporter: fdExporter({
      ...options,
      ...(roomFor !== undefined && { maxQueueBytes: Math.max(options.maxQueueBytes ?? defaultQueueBytes, roomFor) }),
      format: 'json',
    }),
  })
  const child = bound === undefined ? root : root.child(bound)
  return { ...logOf(boundAgain === undefined ? child : child.child(boundAgain)), ...requestsOf(child, withContext) }
}

/** How a server logs its requests. */
function requestsOf(
  log: Logger,
  withContext: (typeof import('../../src/entries/index.ts'))['withContext'],
): Pick<Log, 'requestChild' | 'requestContext'> {
  function records(from: number, to: number): void {
    for (let i = from; i < to; i++) log.info({ seq: i }, 'row imported')
  }
  return {
    requestChild(bound, again, from, to) {
      const child = log.child(bound)
      const inner = again === undefined ? child : child.child(again)
      for (let i = from; i < to; i++) inner.info({ seq: i }, 'row imported')
      return inner
    },
    requestContext(bound, again, from, to) {
      withContext(bound, () => {
        if (again === undefined) records(from, to)
        else withContext(again, () => records(from, to))
      })
    },
  }
}

/** A logger as what is measured. */
export function logOf(log: Logger): Log {
  return {
    logger: log,
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(message, attributes),
    attributesFirst: (attributes, message) => log.info(attributes, message),
    error: (message, error) => log.info(message, error),
    formatted: (format, name, count) => log.info(format, name, count),
    disabled: log.debug,
    child(bound) {
      const child = log.child(bound)
      return { attributes: (message, attributes) => child.info(message, attributes) }
    },
    async flush() {
      const { ok, pending } = await log.flush({ timeoutMillis: 60_000 })
      if (!ok) throw new Error(`${pending} records were not flushed in a minute`)
    },
    stats() {
      const { written, dropped } = log.stats()
      return { written, lost: dropped.total }
    },
  }
}

export async function load<T>(build: string, entry: string): Promise<T> {
  return (await import(pathToFileURL(join(build, `${entry}.js`)).href)) as T
}

export function read(line: Readonly<Record<string, unknown>>): Line {
  const { timestamp, level, message, trace_id: traceId, span_id: spanId } = line
  const {
    'exception.type': type,
    'exception.message': errorMessage,
    'exception.stacktrace': stack,
    ...attributes
  } = (line['attributes'] ?? {}) as Readonly<Record<string, unknown>>
  return {
    time: Date.parse(String(timestamp)),
    level: String(level),
    message,
    attributes,
    error: type === undefined ? undefined : { type, message: errorMessage, stack },
    trace: traceId === undefined ? undefined : { traceId, spanId },
  }
}
