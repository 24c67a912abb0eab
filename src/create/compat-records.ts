import { createClosableRecordEmitter, type ClosableRecordEmitter } from '../compat/shared/log-records.ts'
import { createLogger } from './create-logger.ts'
import type { LoggerOptions } from '../logger/types.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** The options that compat APIs pass to the logger of their exporters. */
export type CompatOptions = {
  readonly [name in 'name' | 'exporter' | 'redact' | 'onDiagnostic']?: LoggerOptions[name] | undefined
}

/** Creates the emitter of a compat API's records for exporters, with a logger of its own; undefined without an exporter. */
export function createCompatRecordEmitter(options: CompatOptions): ClosableRecordEmitter | undefined {
  const { name, exporter, redact, onDiagnostic } = withoutPrototype(options)
  if (exporter === undefined) return undefined
  return createClosableRecordEmitter(
    createLogger({
      level: 'trace',
      exporter,
      ...(name === undefined ? {} : { name }),
      ...(redact === undefined ? {} : { redact }),
      ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
    }),
  )
}
