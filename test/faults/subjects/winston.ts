import winston from 'winston'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { becomesTrue, resolvesWithin, ErrorLog } from './waiting.ts'

type Transport = NonNullable<winston.LoggerOptions['transports']> extends (infer T)[] | (infer T) ? T : never

export const open: OpenSubject = (sink, _options, secondSink) => {
  const errorLog = new ErrorLog()
  const transports = (secondSink === undefined ? [sink] : [secondSink, sink]).map(transportTo) as Transport[]
  const { combine, timestamp, json } = winston.format
  const log = winston.createLogger({
    level: 'info',
    format: combine(timestamp(), json()),
    transports: transports as never,
  })
  log.on('error', errorLog.add)
  const streams = [log, ...(transports as object[])] as { writableLength: number; readableLength?: number }[]
  const pending = () =>
    streams.reduce((sum, { writableLength, readableLength = 0 }) => sum + writableLength + readableLength, 0) +
    process.stdout.writableLength
  return {
    log: (level, attributes) => void log[level]('fault', attributes),
    // There is no flush: poll the buffers of the streams, including the inner stream of the file transport.
    flush: (timeoutMillis) => becomesTrue(() => pending() + inFile(transports) === 0, timeoutMillis),
    stats: () => undefined,
    errors: () => errorLog.messages,
    async shutdown() {
      const finished = new Promise((resolve) => log.once('finish', resolve))
      log.end()
      await resolvesWithin(finished, 5_000)
    },
  }
}

function transportTo(sink: Sink): object {
  return sink.to === 'file' ? new winston.transports.File({ filename: sink.path }) : new winston.transports.Console()
}

/** Returns the buffered length of the streams inside File transports. */
function inFile(transports: readonly unknown[]): number {
  return (transports as { _dest?: { writableLength: number }; _stream?: { writableLength: number } }[]).reduce(
    (sum, { _dest, _stream }) => sum + (_dest?.writableLength ?? 0) + (_stream?.writableLength ?? 0),
    0,
  )
}

export const facts: SubjectFacts = {
  package: 'winston',
  setup:
    '`transports.File({ filename })` or `transports.Console()`, with `format.timestamp()` and `format.json()`; with an `error` listener',
}
