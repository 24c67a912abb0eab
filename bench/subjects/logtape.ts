import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import type { Line, Log, LogSetup, Subject } from './subject.ts'

interface LogTape {
  configure(options: object): Promise<void>
  reset(): Promise<void>
  getLogger(category: string): LogTapeLogger
  getConsoleSink(options: object): object
  readonly jsonLinesFormatter: object
}
interface LogTapeLogger {
  info(message: string, attributes?: object): void
  debug(message: string, attributes: object): void
  with(bound: object): LogTapeLogger
}

/** The non-blocking sink of LogTape with a buffer for the whole burst. Over twice its size it drops the oldest records. */
export const logtape: Subject = {
  title: 'LogTape 2.4, getConsoleSink({ formatter: jsonLinesFormatter, nonBlocking: { bufferSize: 10,000,000 } })',
  whenFull: 'keeps 20,000,000 records in memory, then drops the oldest records',
  open,
  read,
}

async function open({ bound, nestedBound }: LogSetup): Promise<Log> {
  const rival = await importRival<LogTape>('@logtape/logtape')
  await configure(rival)
  const root = rival.getLogger('bench')
  const child = bound === undefined ? root : root.with(bound)
  const log = nestedBound === undefined ? child : child.with(nestedBound)
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(message, attributes),
    error: (message, error) => log.info(message, { error }),
    disabled: (message, attributes) => log.debug(message, attributes),
    // Only `reset` flushes the sink and stops its timer, which keeps the process alive.
    async flush() {
      await rival.reset()
      await standardOutputDrained()
      await configure(rival)
    },
  }
}

async function configure({ configure, getConsoleSink, jsonLinesFormatter }: LogTape): Promise<void> {
  const nonBlocking = { bufferSize: 10_000_000 }
  await configure({
    sinks: { out: getConsoleSink({ formatter: jsonLinesFormatter, nonBlocking }) },
    loggers: [
      { category: 'bench', lowestLevel: 'info', sinks: ['out'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: [] },
    ],
  })
}

function read({ '@timestamp': time, level, message, properties }: LogTapeLine): Line {
  const { error, ...attributes } = properties
  return {
    time: Date.parse(time),
    level: level.toLowerCase(),
    message,
    attributes,
    error: error && { type: error.name, message: error.message, stack: error.stack },
  }
}

interface LogTapeLine extends Record<string, unknown> {
  '@timestamp': string
  level: string
  properties: { error?: { name: string; message: string; stack: string } }
}
