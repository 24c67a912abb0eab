import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import type { Formatters, Hooks, Instance } from './instance.ts'
import { mergeSerializers, type Serializers } from './serializers.ts'
import { stdSerializers } from './std-serializers.ts'
import { epochTime, nullTime, type TimeFn } from './time.ts'

/** Options of a logger as the user passed them. */
export interface GivenOptions {
  readonly [name: string]: unknown
}

/** Options with defaults for those that are not set. The public `LoggerOptions` describes them. */
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
  /** The function for the option `timestamp`. */
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
export function resolveOptions(givenOptions: GivenOptions, hostname: string): ResolvedOptions {
  // Copied without a prototype, so that an option that is not set is not read from Object.prototype.
  const options = withoutPrototype({ ...defaults(hostname), ...givenOptions }) as unknown as ResolvedOptions
  return withoutPrototype({
    ...options,
    level: givenOptions.enabled === false ? 'silent' : options.level,
    serializers: mergeSerializers({ err: stdSerializers.err }, givenOptions.serializers as object | undefined),
    formatters: formattersOf(givenOptions.formatters || {}),
    hooks: hooksOf(givenOptions.hooks || {}),
    time: timeFunctionOf(givenOptions),
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

function formattersOf(givenFormatters: Partial<Formatters>): Formatters {
  return {
    bindings: member(givenFormatters, 'bindings') || defaultFormatters.bindings,
    level: member(givenFormatters, 'level') || defaultFormatters.level,
    log: member(givenFormatters, 'log') || undefined,
  }
}

function hooksOf(givenHooks: Hooks): Hooks {
  return {
    logMethod: member(givenHooks, 'logMethod') || undefined,
    streamWrite: member(givenHooks, 'streamWrite') || undefined,
  }
}

/**
 * Returns the function for the option `timestamp`: if it is not set, and for `true`, milliseconds since the Unix epoch. With `false`, lines
 * have no time.
 */
function timeFunctionOf(givenOptions: GivenOptions): TimeFn {
  const { timestamp } = givenOptions
  if (typeof timestamp === 'function') return timestamp as TimeFn
  return timestamp || !Object.hasOwn(givenOptions, 'timestamp') ? epochTime : nullTime
}
