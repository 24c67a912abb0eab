import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import type { Logger, LoggerOptions } from '../../logger/types.ts'
import type { Redact, RedactOptions } from '../../redact/redact.ts'
import { recordsOfLogger } from '../shared/log-records.ts'
import { withErrorRules } from './error-rules.ts'
import type { RecordSink } from './instance.ts'
import { severityOf, standardLevels } from './levels.ts'
import type { ResolvedOptions } from './options.ts'
import { objectPrototypeNames } from '../../record/object-prototype-names.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** The exporters of a logger, if any. */
export type GivenExporters = Exporter | readonly Exporter[] | undefined

/**
 * Returns the options of the logger that emits the calls of a pino logger as OpenTelemetry log records.
 *
 * @param attributes - attributes of each record
 * @throws ConfigurationError for a hook that changes finished lines, because it cannot be applied to records.
 */
export function sinkOptions(
  options: ResolvedOptions,
  attributes: object,
  exporter: GivenExporters,
  onDiagnostic?: OnDiagnostic,
): LoggerOptions {
  const { name, redact, errorKey, hooks } = options
  if (hooks.streamWrite !== undefined) throw new ConfigurationError([changedLines], undefined, 'pino')
  const identity = ['pid', 'hostname', ...(name === undefined ? [] : ['name'])]
  return {
    level: 'trace',
    exporter: exporter!,
    levels: levelsOf(options.customLevels ?? {}),
    ...(redact ? { redact: withErrorRules(redact, errorKey) } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // These are part of the resource and the scope.
    attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => !identity.includes(key))),
    ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
  }
}

const changedLines: ConfigurationProblem = {
  code: 'SLUICE_OPTION_CONFLICT',
  path: 'hooks.streamWrite',
  message:
    'cannot be used with exporter, whose records are not lines, so what it removes would be exported: ' +
    'use redact, serializers or formatters.log, which apply to both',
}

function levelsOf(custom: Readonly<Record<string, number>>): Record<string, number> {
  const own = Object.entries(custom).filter(([label]) => !Object.hasOwn(standardLevels, label) && isMethodName(label))
  return Object.fromEntries(own.map(([label, level]) => [label, severityOf(level)]))
}

/** Members that a logger already has. Levels with such names get no method, and only the severity of their records identifies them. */
const reservedNames = ['silent', 'level', 'isLevelEnabled', 'child', 'flush', 'flushSync', 'stats', 'shutdown', 'then']

function isMethodName(label: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(label) && !reservedNames.includes(label) && !objectPrototypeNames.has(label)
}

/** Creates a sink that emits each record through `logger`, which is a root or a child. */
export function recordSink(logger: Logger, errorKey: string): RecordSink {
  const records = recordsOfLogger(logger)
  return {
    ...records,
    emit(level, label, { attributes, error, message }) {
      const hasErr = error !== undefined && Object.hasOwn(attributes, 'err')
      const named = error === undefined || hasErr ? attributes : { ...attributes, err: error }
      records.emit(levelOf(logger, level, label), named, message, hasErr ? error : undefined)
    },
    child(attributes, redact) {
      const rules = redact ? { redact: withErrorRules(childRules(redact), errorKey) } : {}
      return recordSink(logger.child(attributes, rules), errorKey)
    },
  }
}

/** Returns the rules of a child. For exported records, they add to those of its parent, and cannot turn one off. */
function childRules(redact: Redact): Redact {
  if (Array.isArray(redact)) return redact as readonly string[]
  const { credentialHeaders, ...rules } = ownCopy(redact as RedactOptions)
  return credentialHeaders === true ? redact : rules
}

/** Returns the logger's own level of that name, otherwise the nearest standard level at or below the number. */
function levelOf(logger: Logger, level: number, label: string | undefined): string {
  const isOwn =
    label !== undefined &&
    isMethodName(label) &&
    member(logger as object as Partial<Record<string, unknown>>, label) !== undefined
  if (isOwn) return label
  const [nearest] = Object.entries(standardLevels).findLast(([, value]) => value <= level) ?? ['trace']
  return nearest
}
