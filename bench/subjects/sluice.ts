import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FdExporterOptions } from '../../src/entries/exporters.ts'
import type { Logger, LoggerOptions, RedactPattern } from '../../src/entries/index.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

const mebibyte = 1024 * 1024
/** The default of the package. */
const defaultQueueBytes = 16 * mebibyte

/** sluice with a queue for the whole burst, like the unlimited memory of pino: it neither loses records nor waits. */
export const sluice = sluiceSubject(
  {
    title: 'sluice, fdExporter({ onFull: "block", maxQueueBytes: 64 MiB })',
    whenFull: 'waits for the reader over 64 MiB',
  },
  { onFull: 'block', maxQueueBytes: 64 * mebibyte },
)

/** Another build of sluice, to measure the effect of a change. */
export const baseline: Subject = { ...sluice, title: 'sluice, the build given as --baseline' }

/** Differences between subjects other than the exporter. */
interface Variation {
  readonly readLine?: Subject['read']
  readonly patterns?: readonly RedactPattern[]
  readonly profile?: LoggerOptions['profile']
  readonly baggage?: LoggerOptions['baggage']
  /** The level, which can be directives. */
  readonly level?: string
  readonly recorder?: LoggerOptions['recorder']
}

/** Creates a subject of the built package, which writes to standard output with the given exporter options. */
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
  { patterns, profile, baggage, level = 'info', recorder }: Omit<Variation, 'readLine'>,
): Promise<Log> {
  const { createLogger, withContext } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
  const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
  const { bound, nestedBound, redact = [], redactKeys, capacityBytes, serializers } = setup
  const root = createLogger({
    level,
    // Set only if needed, because a baseline build may not support it.
    ...(profile !== undefined && { profile }),
    ...(baggage !== undefined && { baggage }),
    ...(recorder !== undefined && { recorder }),
    redact: redactKeys === undefined && patterns === undefined ? redact : { paths: redact, keys: redactKeys, patterns },
    ...(serializers !== undefined && { serializers }),
    limits: capacityBytes === undefined ? undefined : { recordBytes: capacityBytes },
    exporter: fdExporter({
      ...options,
      ...(capacityBytes !== undefined && {
        maxQueueBytes: Math.max(options.maxQueueBytes ?? defaultQueueBytes, capacityBytes),
      }),
      format: 'json',
    }),
  })
  const child = bound === undefined ? root : root.child(bound)
  return { ...logOf(nestedBound === undefined ? child : child.child(nestedBound)), ...requestsOf(child, withContext) }
}

/** Returns the methods that log as a server does for its requests. */
function requestsOf(
  log: Logger,
  withContext: (typeof import('../../src/entries/index.ts'))['withContext'],
): Pick<Log, 'requestChild' | 'requestContext'> {
  function records(from: number, to: number): void {
    for (let i = from; i < to; i++) log.info({ seq: i }, 'row imported')
  }
  return {
    requestChild(bound, nested, from, to) {
      const child = log.child(bound)
      const inner = nested === undefined ? child : child.child(nested)
      for (let i = from; i < to; i++) inner.info({ seq: i }, 'row imported')
      return inner
    },
    requestContext(bound, nested, from, to) {
      withContext(bound, () => {
        if (nested === undefined) records(from, to)
        else withContext(nested, () => records(from, to))
      })
    },
  }
}

/** Adapts a logger to the interface of the benchmark. */
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
