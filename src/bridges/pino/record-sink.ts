import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnProblem } from '../../record/problems.ts'
import type { Logger, LoggerOptions } from '../../logger/types.ts'
import { recordsOfLogger } from '../log-records.ts'
import { withErrorRules } from './error-rules.ts'
import type { RecordSink } from './instance.ts'
import { severityOf, standardLevels } from './levels.ts'
import type { ResolvedOptions } from './options.ts'
import type { Serializers } from './serialized.ts'
import { stdSerializers } from './std-serializers.ts'

/** A logger's exporters, where there are any. */
export type GivenExporters = Exporter | readonly Exporter[] | undefined

/**
 * Options of the logger that makes OpenTelemetry log records of what a pino logger is told. `bound`: what it says with each
 * record.
 */
export function sinkOptions(
  options: ResolvedOptions,
  bound: object,
  exporter: GivenExporters,
  onProblem?: OnProblem,
): LoggerOptions {
  const { name, redact, errorKey } = options
  const identity = ['pid', 'hostname', ...(name === undefined ? [] : ['name'])]
  return {
    level: 'trace',
    exporter: exporter!,
    levels: levelsOf(options.customLevels ?? {}),
    serializers: ownSerializers(options.serializers, errorKey),
    ...(redact ? { redact: withErrorRules(redact, errorKey) } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // Those are the resource's and the scope's.
    attributes: Object.fromEntries(Object.entries(bound).filter(([key]) => !identity.includes(key))),
    ...(onProblem === undefined ? {} : { onProblem }),
  }
}

/** Those that are not standard: the exception of a record is made of the Error itself. */
function ownSerializers(serializers: Serializers, errorKey: string): NonNullable<LoggerOptions['serializers']> {
  const error = serializers[errorKey] ?? serializers.err
  const all = Object.entries({ ...serializers, err: error, [errorKey]: error })
  return Object.fromEntries(
    all.filter(([, each]) => typeof each === 'function' && !standard.includes(each)),
  ) as NonNullable<LoggerOptions['serializers']>
}

const standard: readonly unknown[] = [stdSerializers.err, stdSerializers.errWithCause]

function levelsOf(custom: Readonly<Record<string, number>>): Record<string, number> {
  const own = Object.entries(custom).filter(([label]) => !Object.hasOwn(standardLevels, label) && isMethodName(label))
  return Object.fromEntries(own.map(([label, level]) => [label, severityOf(level)]))
}

/** What a logger has already: a level of such a name is told by its severity. */
const taken = ['silent', 'level', 'isLevelEnabled', 'child', 'flush', 'flushSync', 'stats', 'shutdown', 'then']

function isMethodName(label: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(label) && !taken.includes(label) && !(label in {})
}

/** Hands each record to `logger`, a root or a child. */
export function recordSink(logger: Logger, errorKey: string): RecordSink {
  const records = recordsOfLogger(logger)
  return {
    ...records,
    emit(level, label, attributes, message) {
      records.emit(levelOf(logger, level, label), named(attributes, errorKey), text(message))
    },
    child(bindings, { redact, serializers }) {
      const options = {
        ...(redact ? { redact: withErrorRules(redact, errorKey) } : {}),
        ...(serializers === undefined ? {} : { serializers: ownSerializers(serializers, errorKey) }),
      }
      return recordSink(logger.child(named(bindings, errorKey), options), errorKey)
    },
  }
}

/** The logger's own level of that name, else the standard one below. */
function levelOf(logger: Logger, level: number, label: string | undefined): string {
  const isOwn = label !== undefined && isMethodName(label) && label in logger
  if (isOwn) return label
  const [nearest] = Object.entries(standardLevels).findLast(([, value]) => value <= level) ?? ['trace']
  return nearest
}

/** The same with what stands under `errorKey` under `err`. */
function named(attributes: object, errorKey: string): object {
  try {
    if (errorKey === 'err' || !(errorKey in attributes)) return attributes
    const { [errorKey]: err, ...others } = attributes as Record<string, unknown>
    return { err, ...others }
  } catch {
    return attributes // a getter, or a revoked proxy
  }
}

function text(message: unknown): string | undefined {
  if (message === undefined || message === null || typeof message === 'string') return message ?? undefined
  return typeof message === 'symbol' ? message.toString() : JSON.stringify(message)
}
