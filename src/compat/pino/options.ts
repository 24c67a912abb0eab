import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import type { Formatters, Hooks, Instance } from './instance.ts'
import { mergedSerializers, type Serializers } from './serialized.ts'
import { stdSerializers } from './std-serializers.ts'
import { epochTime, nullTime, type TimeFn } from './time.ts'

/** Options of a logger as the user passed them. */
export interface GivenOptions {
  readonly [name: string]: unknown
}

/** Options with all defaults applied. */
export interface ResolvedOptions {
  readonly level: string | number
  readonly levelComparison: unknown
  readonly customLevels: Record<string, number> | null | undefined
  readonly useOnlyCustomLevels: boolean
  readonly messageKey: string
  readonly errorKey: string
  readonly nestedKey: string | null | undefined
  readonly base: object | null
  readonly name: unknown
  readonly serializers: Serializers
  readonly formatters: Formatters
  readonly hooks: Hooks
  readonly time: TimeFn
  readonly redact: unknown
  readonly depthLimit: number
  readonly edgeLimit: number
  readonly mixin: Instance[typeof import('./symbols.ts').mixinSym]
  readonly mixinMergeStrategy: Instance[typeof import('./symbols.ts').mixinMergeStrategySym]
  readonly msgPrefix: string | undefined
  readonly crlf: boolean
  readonly onChild: (child: Instance) => void
  readonly onDiagnostic: OnDiagnostic | undefined
}

const defaultFormatters: Formatters = {
  bindings: (bindings) => bindings,
  level: (_label, level) => ({ level }),
}

/**
 * Applies defaults to valid options.
 *
 * @param hostname - name of this machine
 */
export function resolveOptions(given: GivenOptions, hostname: string): ResolvedOptions {
  // Copied without a prototype, so that options that are not set are not read from Object.prototype.
  const options = ownCopy({ ...defaults(hostname), ...given }) as unknown as ResolvedOptions
  return ownCopy({
    ...options,
    level: given.enabled === false ? 'silent' : options.level,
    serializers: mergedSerializers({ err: stdSerializers.err }, given.serializers as object | undefined),
    formatters: formattersOf(given.formatters || {}),
    hooks: hooksOf(given.hooks || {}),
    time: timeOf(given),
    onChild: options.onChild || (() => {}),
  })
}

function defaults(hostname: string): GivenOptions {
  return {
    level: 'info',
    levelComparison: 'ASC',
    useOnlyCustomLevels: false,
    messageKey: 'msg',
    errorKey: 'err',
    base: { pid: process.pid, hostname },
    depthLimit: 5,
    edgeLimit: 100,
    crlf: false,
  }
}

function formattersOf(given: Partial<Formatters>): Formatters {
  return {
    bindings: member(given, 'bindings') || defaultFormatters.bindings,
    level: member(given, 'level') || defaultFormatters.level,
    log: member(given, 'log') || undefined,
  }
}

function hooksOf(given: Hooks): Hooks {
  return { logMethod: member(given, 'logMethod') || undefined, streamWrite: member(given, 'streamWrite') || undefined }
}

function timeOf(given: GivenOptions): TimeFn {
  const { timestamp } = given
  if (typeof timestamp === 'function') return timestamp as TimeFn
  return timestamp || !Object.hasOwn(given, 'timestamp') ? epochTime : nullTime
}
