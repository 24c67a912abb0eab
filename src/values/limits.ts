import { ownOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'

/**
 * How much of what was logged is kept. Each is an integer of 1 or more, or Infinity for no limit. What is past a limit
 * is replaced by a marker that counts it. A child may change any of them.
 */
export interface Limits {
  /** How deep values may nest; a top-level attribute has depth 1. Default 64 (LIM1, LIM4). */
  readonly depth?: number
  /**
   * How many top-level attributes a record may have. In a `LoggerProvider`, those of an exception count and the others are
   * dropped first; loggers of `createLogger` add them to this number. Default 128 (LIM1, LIM3).
   */
  readonly attributes?: number
  /** How many members or items of one nested object, array, Map or Set are written. Default 1,000. */
  readonly items?: number
  /** How long a string may be, in UTF-16 units. Default Infinity (LIM1, LIM2). */
  readonly stringLength?: number
  /**
   * How long a record's line may be, in bytes; the largest attributes are cut first. Records of OTLP requests are measured
   * as protobuf, in both protocols. Records that were cut are counted as `truncated` in `stats()`. Default 262,144: Loki's
   * `max_line_size` unless it is set, and about what Google Cloud takes as an entry; CloudWatch, Datadog and Elastic take
   * more. At least 1,024, so that what identifies a record always fits.
   */
  readonly recordBytes?: number
  /**
   * How many frames of each error's stack are written. Default Infinity: V8 keeps 10 (`Error.stackTraceLimit`), and who
   * raised that wants to see them.
   */
  readonly stackFrames?: number
}

/** Limits with every default filled in. */
export interface ResolvedLimits extends Required<Limits> {
  /**
   * The limits are OpenTelemetry's: what is past one is cut without a marker (LIM2), a container that is too deep is an
   * empty value (LIM4), the attributes of an exception are cut and counted as any other, and the body is exempt (LIM7) up to
   * `bodyDepth`.
   */
  readonly bare: boolean
  /** How many values a record may have, nested ones included. Default: as many as fit into `recordBytes`. */
  readonly values: number | undefined
  /** Called when an attribute is left out because there are too many (LIM6). Must not throw. */
  readonly surplus: (() => void) | undefined
  /** Called when a record is cut to `recordBytes`, perhaps more than once for a record. Must not throw. */
  readonly truncated: (() => void) | undefined
}

/** The limits that hold where nobody set any. */
export const defaultLimits: ResolvedLimits = Object.freeze({
  depth: 64,
  attributes: 128,
  items: 1_000,
  stringLength: Infinity,
  recordBytes: 262_144,
  stackFrames: Infinity,
  // Own members: a value on Object.prototype is not read instead.
  bare: false,
  values: undefined,
  surplus: undefined,
  truncated: undefined,
})

/** How many levels a body may have that is exempt from the limits of attributes. A larger `depth` raises it. */
export const bodyDepth = 512

/**
 * How many levels any value may have in records with OpenTelemetry's limits, whatever `depth` is. Each level takes 400 to 700 bytes
 * of the stack, and Node's stack has 984 KB.
 */
export const mostDepth = 1_000

/**
 * Fills in what is not given, from `parent` (a child logger's parent), else from the defaults. What is wrong is added
 * to `problems`, under `where`, and its default taken; unknown names are left to whoever checks the options.
 */
export function resolveLimits(
  given: Limits | undefined,
  where: string,
  problems: ConfigurationProblem[],
  parent: ResolvedLimits = defaultLimits,
): ResolvedLimits {
  // A copy of the defaults: V8 13 gives optimized code up each time it reads a frozen object of another module.
  if (given === undefined) return parent === defaultLimits ? { ...parent } : parent
  const limits = ownOptions(given, where, problems)
  if (typeof limits !== 'object' || limits === null) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an object' })
    return parent
  }
  const resolved: Record<keyof Limits, number> & ResolvedLimits = { ...parent }
  for (const name of names) {
    const value: unknown = limits[name]
    if (value === undefined) continue
    const minimum = name === 'recordBytes' ? 1_024 : 1
    if (isLimit(value, minimum)) {
      resolved[name] = value
    } else {
      const message = `must be an integer of ${minimum} or more, or Infinity`
      const code = typeof value === 'number' ? 'SLUICE_OPTION_RANGE' : 'SLUICE_OPTION_TYPE'
      problems.push({ code, path: `${where}.${name}`, message })
    }
  }
  return resolved
}

/** The names of the limits, in the order in which problems are told. */
const names = (Object.keys(defaultLimits) as (keyof ResolvedLimits)[]).filter(
  (name): name is keyof Limits => typeof defaultLimits[name] === 'number',
)

function isLimit(value: unknown, minimum: number): value is number {
  return typeof value === 'number' && value >= minimum && (Number.isInteger(value) || value === Infinity)
}
