import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnProblem } from '../../record/problems.ts'
import type { Logger, LoggerOptions } from '../../logger/types.ts'
import type { Redact } from '../../rules/redact.ts'
import type { RecordSink } from './instance.ts'
import { standardLevels } from './levels.ts'
import type { ResolvedOptions } from './options.ts'
import { severityOf } from './severity.ts'

/** A logger's exporters, where there are any. */
export type GivenExporters = Exporter | readonly Exporter[] | undefined

type Method = (attributes: object, message?: string, value?: string) => void

/** Options of the logger that makes OpenTelemetry log records of what a pino logger is told. */
export function sinkOptions(options: ResolvedOptions, exporter: GivenExporters, onProblem?: OnProblem): LoggerOptions {
  const { base, name, redact, serializers } = options
  const own = Object.entries(serializers).filter(([key]) => key !== 'err' && key !== options.errorKey)
  return {
    level: 'trace',
    exporter: exporter!,
    levels: levelsOf(options.customLevels ?? {}),
    serializers: Object.fromEntries(own) as NonNullable<LoggerOptions['serializers']>,
    ...(redact ? { redact } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // pid and hostname are the resource's.
    attributes: Object.fromEntries(Object.entries(base ?? {}).filter(([key]) => key !== 'pid' && key !== 'hostname')),
    ...(onProblem === undefined ? {} : { onProblem }),
  }
}

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
  return {
    emit(level, label, attributes, message) {
      const log = methodOf(logger, level, label)
      const said = errorKey === 'err' || !(errorKey in attributes) ? attributes : renamed(attributes, errorKey)
      if (message === undefined || message === null) log(said)
      // Inserted, since nothing in it stands for an attribute.
      else log(said, '%s', text(message))
    },
    child: (bindings, { redact }) =>
      recordSink(logger.child(bindings, redact ? { redact: redact as Redact } : {}), errorKey),
    flush: () => logger.flush(),
    flushSync: () => logger.flushSync(),
  }
}

function methodOf(logger: Logger, level: number, label: string | undefined): Method {
  const methods = logger as unknown as Readonly<Record<string, Method | undefined>>
  const own = label === undefined || !isMethodName(label) ? undefined : methods[label]
  if (typeof own === 'function') return own
  const [nearest] = Object.entries(standardLevels).findLast(([, value]) => value <= level) ?? ['trace']
  return methods[nearest]!
}

function renamed(attributes: object, errorKey: string): object {
  const { [errorKey]: err, ...others } = attributes as Record<string, unknown>
  return { err, ...others }
}

function text(message: unknown): string {
  return typeof message === 'string' ? message : (JSON.stringify(message) ?? String(message))
}
