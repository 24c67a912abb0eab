import { logRecords, type LogRecords } from '../compat/shared/log-records.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from '../logger/types.ts'
import { ownCopy } from '../options/own-members.ts'

/** What fronts of other loggers give on to the logger of their exporters. */
export type CompatOptions = {
  readonly [name in 'name' | 'exporter' | 'redact' | 'onDiagnostic']?: LoggerOptions[name] | undefined
}

/** What makes OpenTelemetry log records for the exporters of a front; undefined where it has none. */
export function compatRecords(options: CompatOptions): LogRecords | undefined {
  const { name, exporter, redact, onDiagnostic } = ownCopy(options)
  if (exporter === undefined) return undefined
  return logRecords(
    createLogger({
      level: 'trace',
      exporter,
      ...(name === undefined ? {} : { name }),
      ...(redact === undefined ? {} : { redact }),
      ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
    }),
  )
}
