import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import type { Logger, LoggerOptions } from '../../logger/types.ts'
import type { Redact, RedactOptions } from '../../redact/redact.ts'
import { createRecordEmitter } from '../shared/log-records.ts'
import { withErrorRules } from './error-rules.ts'
import type { RecordSink } from './instance.ts'
import { severityOf, standardLevels } from './levels.ts'
import type { ResolvedOptions } from './options.ts'
import { isLevelMethodName } from '../../logger/levels.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** The option `exporter` as the user passed it. */
export type GivenExporters = Exporter | readonly Exporter[] | undefined

/**
 * Returns the options of the logger that emits the calls of a pino logger as OpenTelemetry log records.
 *
 * @param attributes - attributes of each record
 * @throws ConfigurationError for `hooks.streamWrite`, which changes finished lines and cannot be applied to records.
 */
export function exportingLoggerOptions(
  options: ResolvedOptions,
  attributes: object,
  exporter: GivenExporters,
  onDiagnostic?: OnDiagnostic,
): LoggerOptions {
  const { name, redact, errorKey, hooks } = options
  if (hooks.streamWrite !== undefined) throw new ConfigurationError([streamWriteConflict], undefined, 'pino')
  const identityKeys = ['pid', 'hostname', ...(name === undefined ? [] : ['name'])]
  return {
    level: 'trace',
    exporter: exporter!,
    levels: severitiesOf(options.customLevels ?? {}),
    ...(redact ? { redact: withErrorRules(redact, errorKey) } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // The process ID, the host and the name are part of the resource and the scope instead.
    attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => !identityKeys.includes(key))),
    ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
  }
}

const streamWriteConflict: ConfigurationProblem = {
  code: 'SLUICE_OPTION_CONFLICT',
  path: 'hooks.streamWrite',
  message:
    'cannot be used with exporter, whose records are not lines, so what it removes would be exported: ' +
    'use redact, serializers or formatters.log, which apply to both',
}

/** Returns the severity numbers of the custom levels for which the exporting logger can have a method, by name. */
function severitiesOf(customLevels: Readonly<Record<string, number>>): Record<string, number> {
  const methodLevels = Object.entries(customLevels).filter(
    ([label]) => !Object.hasOwn(standardLevels, label) && isLevelMethodName(label),
  )
  return Object.fromEntries(methodLevels.map(([label, level]) => [label, severityOf(level)]))
}

/** Creates a sink that emits each record through `logger`, which is a root or a child. */
export function createRecordSink(logger: Logger, errorKey: string): RecordSink {
  const emitter = createRecordEmitter(logger)
  return {
    ...emitter,
    emit(level, label, { attributes, error, message }) {
      // The exception is the attribute `err`, unless the call has another attribute of that name.
      const hasErr = error !== undefined && Object.hasOwn(attributes, 'err')
      const allAttributes = error === undefined || hasErr ? attributes : { ...attributes, err: error }
      emitter.emit(levelOf(logger, level, label), allAttributes, message, hasErr ? error : undefined)
    },
    child(attributes, redact) {
      const childOptions = redact ? { redact: withErrorRules(childRules(redact), errorKey) } : {}
      return createRecordSink(logger.child(attributes, childOptions), errorKey)
    },
  }
}

/**
 * Returns the rules of a child for exported records, without `credentialHeaders: false`. They are applied in addition to those of the
 * parent, none of which they can turn off.
 */
function childRules(redact: Redact): Redact {
  if (Array.isArray(redact)) return redact as readonly string[]
  const { credentialHeaders, ...rules } = withoutPrototype(redact as RedactOptions)
  return credentialHeaders === true ? redact : rules
}

/** Returns the label if the logger has a method of that name, otherwise the highest standard level up to the number, at least `trace`. */
function levelOf(logger: Logger, level: number, label: string | undefined): string {
  const hasMethod =
    label !== undefined &&
    isLevelMethodName(label) &&
    member(logger as object as Partial<Record<string, unknown>>, label) !== undefined
  if (hasMethod) return label
  const [standardLevel] = Object.entries(standardLevels).findLast(([, value]) => value <= level) ?? ['trace']
  return standardLevel
}
