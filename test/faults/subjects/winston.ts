import winston from 'winston'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { comesTrue, isKept, Told } from './waiting.ts'

type Transport = NonNullable<winston.LoggerOptions['transports']> extends (infer T)[] | (infer T) ? T : never

export const open: OpenSubject = (sink, _options, beside) => {
  const told = new Told()
  const transports = (beside === undefined ? [sink] : [beside, sink]).map(transportTo) as Transport[]
  const { combine, timestamp, json } = winston.format
  const log = winston.createLogger({
    level: 'info',
    format: combine(timestamp(), json()),
    transports: transports as never,
  })
  log.on('error', told.tell)
  const streams = [log, ...(transports as object[])] as { writableLength: number; readableLength?: number }[]
  const waiting = () =>
    streams.reduce((sum, { writableLength, readableLength = 0 }) => sum + writableLength + readableLength, 0) +
    process.stdout.writableLength
  return {
    log: (level, attributes) => void log[level]('fault', attributes),
    // It has none: a program looks at what its streams hold, and at the file's own stream.
    flush: (timeoutMillis) => comesTrue(() => waiting() + inFile(transports) === 0, timeoutMillis),
    ledger: () => undefined,
    told: () => told.words,
    async shutdown() {
      const finished = new Promise((resolve) => log.once('finish', resolve))
      log.end()
      await isKept(finished, 5_000)
    },
  }
}

function transportTo(sink: Sink): object {
  return sink.to === 'file' ? new winston.transports.File({ filename: sink.path }) : new winston.transports.Console()
}

/** What the streams inside of File transports hold. */
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
