import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { diag, DiagConsoleLogger, DiagLogLevel } from '@opentelemetry/api'
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordExporter,
  type ReadableLogRecord,
} from '@opentelemetry/sdk-logs'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { resolvesWithin } from './waiting.ts'

export const open: OpenSubject = (sink, _options, secondSink) => {
  diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.WARN)
  const exporters = (secondSink === undefined ? [sink] : [secondSink, sink]).map(exporterTo)
  const provider = new LoggerProvider({
    processors: exporters.map((exporter) => new BatchLogRecordProcessor({ exporter })),
  })
  const log = provider.getLogger('fault')
  return {
    log(level, attributes) {
      log.emit({
        severityNumber: level === 'info' ? 9 : 13,
        severityText: level,
        body: 'fault',
        attributes: attributes as Record<string, string>,
      })
    },
    flush: (timeoutMillis) => resolvesWithin(provider.forceFlush(), timeoutMillis),
    stats: () => undefined,
    shutdown: () => provider.shutdown(),
    beforeEnd: () => provider.shutdown(),
  }
}

/** The SDK has no exporter that writes JSON lines. */
function exporterTo(sink: Sink): LogRecordExporter {
  const stream: Writable = sink.to === 'file' ? createWriteStream(sink.path, { flags: 'a' }) : process.stdout
  // Errors are passed to the callback of each write.
  stream.on('error', () => {})
  return {
    export(records, done) {
      stream.write(records.map(lineOf).join(''), (error) =>
        done(error === undefined || error === null ? { code: 0 } : { code: 1, error }),
      )
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  }
}

function lineOf({ hrTime: [seconds, nanos], severityText, body, attributes }: ReadableLogRecord): string {
  const timestamp = seconds * 1_000 + nanos / 1_000_000
  return `${JSON.stringify({ timestamp, severityText, body, attributes })}\n`
}

export const facts: SubjectFacts = {
  package: '@opentelemetry/sdk-logs',
  setup:
    '`BatchLogRecordProcessor` with default options. The SDK has no exporter that writes lines, so a simple exporter writes JSON lines to `process.stdout` or an appending stream, and passes errors on. `diag` writes to standard error. `shutdown()` is called before exit.',
}
