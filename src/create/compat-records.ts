import { createClosableRecordEmitter, type ClosableRecordEmitter } from '../compat/shared/log-records.ts'
import { composeLogger } from './compose-logger.ts'
import { nodeRuntime } from './create-logger.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
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
    createCompatLogger({
      level: 'trace',
      exporter,
      ...(name === undefined ? {} : { name }),
      ...(redact === undefined ? {} : { redact }),
      ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
    }),
  )
}

/**
 * Creates the logger that emits the records of a compat API, which decides whether they are logged, so that directives do not apply again.
 *
 * @throws ConfigurationError as `createLogger` does
 */
export function createCompatLogger(options: LoggerOptions): RootLogger {
  return composeLogger({ options, runtime: nodeRuntime, followsDirectives: false })
}
