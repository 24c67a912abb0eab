import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import type { Logger, LoggerOptions } from '../../logger/types.ts'
import type { Redact, RedactOptions } from '../../redact/redact.ts'
import { recordsOfLogger } from '../shared/log-records.ts'
import { withErrorRules } from './error-rules.ts'
import type { RecordSink } from './instance.ts'
import { severityOf, standardLevels } from './levels.ts'
import type { ResolvedOptions } from './options.ts'
import { ofTheLanguage } from '../../record/language-names.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** A logger's exporters, where there are any. */
export type GivenExporters = Exporter | readonly Exporter[] | undefined

/**
 * Options of the logger that makes OpenTelemetry log records of what a pino logger is told. `attributes`: what it says with each
 * record.
 *
 * @throws ConfigurationError where lines are changed behind the walk, as records could not be.
 */
export function sinkOptions(
  options: ResolvedOptions,
  attributes: object,
  exporter: GivenExporters,
  onDiagnostic?: OnDiagnostic,
): LoggerOptions {
  const { name, redact, errorKey, hooks } = options
  if (hooks.streamWrite !== undefined) throw new ConfigurationError([changedLines])
  const identity = ['pid', 'hostname', ...(name === undefined ? [] : ['name'])]
  return {
    level: 'trace',
    exporter: exporter!,
    levels: levelsOf(options.customLevels ?? {}),
    ...(redact ? { redact: withErrorRules(redact, errorKey) } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // Those are the resource's and the scope's.
    attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => !identity.includes(key))),
    ...(onDiagnostic === undefined ? {} : { onDiagnostic }),
  }
}

const changedLines: ConfigurationProblem = {
  code: 'SLUICE_OPTION_CONFLICT',
  path: 'hooks.streamWrite',
  message:
    'it changes lines, and the records of `exporter` are not made of lines: what it takes out would leave with them; ' +
    'use redact, serializers or formatters.log, which hold for both',
}

function levelsOf(custom: Readonly<Record<string, number>>): Record<string, number> {
  const own = Object.entries(custom).filter(([label]) => !Object.hasOwn(standardLevels, label) && isMethodName(label))
  return Object.fromEntries(own.map(([label, level]) => [label, severityOf(level)]))
}

/** What a logger has already: a level of such a name is told by its severity. */
const taken = ['silent', 'level', 'isLevelEnabled', 'child', 'flush', 'flushSync', 'stats', 'shutdown', 'then']

function isMethodName(label: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(label) && !taken.includes(label) && !ofTheLanguage.has(label)
}

/** Hands each record to `logger`, a root or a child. */
export function recordSink(logger: Logger, errorKey: string): RecordSink {
  const records = recordsOfLogger(logger)
  return {
    ...records,
    emit(level, label, { attributes, error, message }) {
      const isTaken = error !== undefined && Object.hasOwn(attributes, 'err')
      const named = error === undefined || isTaken ? attributes : { ...attributes, err: error }
      records.emit(levelOf(logger, level, label), named, message, isTaken ? error : undefined)
    },
    child(attributes, redact) {
      const rules = redact ? { redact: withErrorRules(ofChild(redact), errorKey) } : {}
      return recordSink(logger.child(attributes, rules), errorKey)
    },
  }
}

/** Rules of a child, which add to those of its parent in OpenTelemetry log records: there it cannot turn one off. */
function ofChild(redact: Redact): Redact {
  if (Array.isArray(redact)) return redact as readonly string[]
  const { credentialHeaders, ...rules } = ownCopy(redact as RedactOptions)
  return credentialHeaders === true ? redact : rules
}

/** The logger's own level of that name, else the standard one below. */
function levelOf(logger: Logger, level: number, label: string | undefined): string {
  const isOwn =
    label !== undefined &&
    isMethodName(label) &&
    member(logger as object as Partial<Record<string, unknown>>, label) !== undefined
  if (isOwn) return label
  const [nearest] = Object.entries(standardLevels).findLast(([, value]) => value <= level) ?? ['trace']
  return nearest
}
