import type { Encoding, Exporter } from '../../src/entries/exporters.ts'
import { load, logOf, read, sluice } from './sluice.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

/** One logger with JSON lines to standard output and the additional encodings of the setup. */
export const sluiceEncodings: Subject = {
  title: 'sluice, one logger with an exporter for each encoding',
  whenFull: sluice.whenFull,
  open: (setup, build) => open(setup, build, (exporters) => [exporters]),
  read,
}

/** A logger for each encoding, each of which is called for every record. */
export const sluiceLoggers: Subject = {
  title: 'sluice, a logger for each encoding, all of which are called for each record',
  whenFull: sluice.whenFull,
  open: (setup, build) => open(setup, build, (exporters) => exporters.map((exporter) => [exporter])),
  read,
}

async function open(
  { encodings = [] }: LogSetup,
  build: string,
  loggersOf: (exporters: readonly Exporter[]) => readonly (readonly Exporter[])[],
): Promise<Log> {
  const { createLogger } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
  const { fdExporter, jsonLines, otlpExporter, pretty } = await load<typeof import('../../src/entries/exporters.ts')>(
    build,
    'exporters',
  )
  const further: Readonly<Record<(typeof encodings)[number], () => Encoding>> = {
    otlp: () => otlpExporter({ protocol: 'http/protobuf', url: 'http://127.0.0.1:9/v1/logs' }).encoding,
    pretty: () => pretty({ colors: false }),
    pino: () => jsonLines('pino'),
  }
  const exporters = [
    fdExporter({ onFull: 'block', maxQueueBytes: 64 * 1024 * 1024, format: 'json' }),
    ...encodings.map((name) => discarding(name, further[name]())),
  ]
  const loggers = loggersOf(exporters).map((exporter) => createLogger({ level: 'info', exporter }))
  const logs = loggers.map(logOf)
  const first = {
    ...logs[0]!,
    stats() {
      // The statistics of the lines on standard output.
      const { written, dropped } = loggers[0]!.stats().exporters[0]!
      return { written, lost: dropped.total }
    },
  }
  if (logs.length === 1) return first
  return {
    ...first,
    text: (message) => {
      for (const log of logs) log.text(message)
    },
    attributes: (message, attributes) => {
      for (const log of logs) log.attributes(message, attributes)
    },
    async flush() {
      for (const log of logs) await log.flush()
    },
  }
}

/** Creates an exporter that accepts every batch and writes nothing. */
function discarding(name: string, encoding: Encoding): Exporter {
  return { name, encoding, schedule: 'turn', delivery: {}, export: () => ({ status: 'accepted' }) }
}
