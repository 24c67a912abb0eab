import { logRecords, type LogRecords } from '../compat/shared/log-records.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from '../logger/types.ts'
import { ownCopy } from '../options/own-members.ts'

/** The options that compat APIs pass to the logger of their exporters. */
export type CompatOptions = {
  readonly [name in 'name' | 'exporter' | 'redact' | 'onDiagnostic']?: LoggerOptions[name] | undefined
}

/** Returns the logger that creates OpenTelemetry log records for the exporters of a compat API; undefined if it has none. */
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
