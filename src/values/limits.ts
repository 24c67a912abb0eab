import { typeName } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'

/**
 * Limits on the logged data. Each is an integer of 1 or more, or Infinity for no limit. Data over a limit is replaced by a marker that
 * counts it; dropped attributes are counted in a field of the record. A child logger may change any limit.
 */
export interface Limits {
  /**
   * The maximum nesting depth of values. A top-level attribute has depth 1.
   *
   * @defaultValue 64
   */
  readonly depth?: number
  /**
   * The maximum number of top-level attributes of a record. In a `LoggerProvider`, the attributes of an exception count, and the others are
   * dropped first; in loggers of `createLogger`, they do not count.
   *
   * @defaultValue 128
   */
  readonly attributes?: number
  /**
   * The maximum number of members or items that are written of each nested object, array, Map or Set.
   *
   * @defaultValue 1,000
   */
  readonly items?: number
  /**
   * The maximum length of a string, in UTF-16 units, and of binary data, in bytes. In loggers of `createLogger`, it does not apply to the
   * exception of a record, for whose stack there is `stackFrames`.
   *
   * @defaultValue Infinity
   */
  readonly stringLength?: number
  /**
   * The maximum size of a record's line, in bytes. The largest attributes are cut first. Records in OTLP requests are measured as protobuf,
   * in both protocols. Records that were cut are counted as `truncated` in `stats()`. The minimum is 1,024, so that the fields that
   * identify a record always fit.
   *
   * @defaultValue 262,144 (256 KiB), which is the default of Loki's `max_line_size` and about the limit of Google Cloud for an entry;
   * CloudWatch, Datadog and Elastic accept more
   */
  readonly recordBytes?: number
  /**
   * The maximum number of frames that are written of each error's stack.
   *
   * @defaultValue Infinity, because V8 captures only 10 frames unless `Error.stackTraceLimit` is raised
   */
  readonly stackFrames?: number
}

/** Limits with all defaults applied. */
export interface ResolvedLimits extends Required<Limits> {
  /**
   * Whether data over a limit is handled as OpenTelemetry specifies for attributes: it is cut without a marker; a container that is too
   * deep becomes an empty value; the attributes of an exception are cut and counted like any other; and the body is exempt, up to the
   * depth `maxBodyDepth`. Otherwise, markers are written, and the limits also apply to the body.
   */
  readonly followsOpenTelemetry: boolean
  /** The maximum number of values in a record, including nested ones. If undefined, as many as fit into `recordBytes`. */
  readonly values: number | undefined
  /** Called when an attribute is dropped because there are too many. Must not throw. */
  readonly onAttributeDropped: (() => void) | undefined
  /**
   * Called when a record is cut because of `recordBytes`, `values`, or a depth for which the stack does not suffice; possibly several times
   * for one record. Must not throw.
   */
  readonly onTruncated: (() => void) | undefined
}

/** The default limits. */
export const defaultLimits: ResolvedLimits = Object.freeze({
  depth: 64,
  attributes: 128,
  items: 1_000,
  stringLength: Infinity,
  recordBytes: 262_144,
  stackFrames: Infinity,
  // Own members, so that a value on a polluted Object.prototype is not read.
  followsOpenTelemetry: false,
  values: undefined,
  onAttributeDropped: undefined,
  onTruncated: undefined,
})

/** The maximum depth of a body that is exempt from the limits of attributes. A larger `depth` raises it, up to `maxDepthLimit`. */
export const maxBodyDepth = 512

/**
 * The maximum depth of any value in records with OpenTelemetry's limits, even if `depth` is larger. Each level uses 400 to 700 bytes of the
 * stack, and Node's stack has 984 KB.
 */
export const maxDepthLimit = 1_000

/**
 * Applies defaults to limits: those of `parent` (the parent of a child logger), or else the standard defaults. Errors are added to
 * `problems`, with paths under `where`, and the default is used for an invalid limit. Unknown names are not checked here.
 */
export function resolveLimits(
  options: Limits | undefined,
  where: string,
  problems: ConfigurationProblem[],
  parent: ResolvedLimits = defaultLimits,
): ResolvedLimits {
  // A copy of the defaults, because V8 13 deoptimizes code each time it reads a frozen object of another module.
  if (options === undefined) return parent === defaultLimits ? { ...parent } : parent
  const limits = copyOptions(options, where, problems)
  if (typeof limits !== 'object' || limits === null) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be an object, not ${typeName(limits)}` })
    return parent
  }
  const resolved: Record<keyof Limits, number> & ResolvedLimits = { ...parent }
  for (const name of limitNames) {
    const value: unknown = limits[name]
    if (value === undefined) continue
    const minimum = name === 'recordBytes' ? 1_024 : 1
    if (isLimit(value, minimum)) {
      resolved[name] = value
    } else {
      const received = typeof value === 'number' ? value : typeName(value)
      const message = `must be an integer of ${minimum} or more, or Infinity, not ${received}`
      const code = typeof value === 'number' ? 'SLUICE_OPTION_RANGE' : 'SLUICE_OPTION_TYPE'
      problems.push({ code, path: `${where}.${name}`, message })
    }
  }
  return resolved
}

/** The names of the limits, in the order in which errors are reported. */
const limitNames = (Object.keys(defaultLimits) as (keyof ResolvedLimits)[]).filter(
  (name): name is keyof Limits => typeof defaultLimits[name] === 'number',
)

function isLimit(value: unknown, minimum: number): value is number {
  return typeof value === 'number' && value >= minimum && (Number.isInteger(value) || value === Infinity)
}
