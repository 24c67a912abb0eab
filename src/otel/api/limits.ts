import { counted } from '../../options/counted.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import {
  maxBodyDepth,
  defaultLimits,
  maxDepthLimit,
  resolveLimits,
  type Limits,
  type ResolvedLimits,
} from '../../values/limits.ts'
import { reportInvalid } from '../../platform/node/env.ts'
import { valueOf, type Environment } from '../../platform/node/variables.ts'

/**
 * The default limit for a record from OpenTelemetry's API or SDK, body included, in bytes: a little less than the 4 MiB that a gRPC
 * server accepts in one message by default, which leaves room for the resource.
 */
const defaultRecordBytes = 4_000_000
/** The minimum of `SLUICE_RECORD_BYTES`. */
const minRecordBytes = 1_024
/**
 * The maximum number of values in a record. It is higher if `recordBytes` is more than 32 bytes for each of this many values, and lower if
 * it is less than 2 bytes for each. There is a limit because millions of values would take seconds to encode.
 */
const usualMaxValues = 131_072

/**
 * Returns the limits of a provider's records. Precedence is: options in code, configuration file, variables for log records, variables
 * for all signals, defaults. Three of them are OpenTelemetry's: `attributes` is AttributeCountLimit, `stringLength` is
 * AttributeValueLengthLimit, `depth` is AttributeValueDepthLimit. Nested items have no separate limit, because OpenTelemetry
 * defines none. Attributes over the limit are counted in the record and reported.
 *
 * @param fileLimits - limits of a configuration file
 */
export function recordLimits(
  given: Limits | undefined,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
  fileLimits: Partial<ResolvedLimits> = {},
): ResolvedLimits {
  const count = limitIn(env, 'ATTRIBUTE_COUNT_LIMIT', reportDiagnostic)
  const length = limitIn(env, 'ATTRIBUTE_VALUE_LENGTH_LIMIT', reportDiagnostic)
  const defaults: ResolvedLimits = {
    ...defaultLimits,
    ...wholeRecordLimits(reportDiagnostic, env),
    attributes: count ?? defaultLimits.attributes,
    stringLength: length ?? defaultLimits.stringLength,
    ...fileLimits,
  }
  const { attributes, ...rest } = withValueCountLimit(
    resolveLimits(given, 'limits', problems, defaults),
    reportDiagnostic,
  )
  const message = `a record has more than ${counted(attributes, 'attribute')}; the others are dropped and counted in the record`
  const onAttributeDropped = () => reportDiagnostic({ code: 'SLUICE_ATTRIBUTES_DROPPED', message })
  return { ...rest, attributes, followsOpenTelemetry: true, onAttributeDropped }
}

/**
 * Returns the limits of records from an SDK. By default the number of attributes is not limited, because the SDK applies its own limit.
 *
 * @param where - the name of the option in errors
 */
export function sdkRecordLimits(
  given: Limits | undefined,
  where: string,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
): ResolvedLimits {
  const defaults: ResolvedLimits = {
    ...defaultLimits,
    attributes: Infinity,
    ...wholeRecordLimits(reportDiagnostic, env),
  }
  return {
    ...withValueCountLimit(resolveLimits(given, where, problems, defaults), reportDiagnostic),
    followsOpenTelemetry: true,
  }
}

/** Returns the limit of the size of a record, which `SLUICE_RECORD_BYTES` can set, and no limit for nested items. */
function wholeRecordLimits(
  reportDiagnostic: OnDiagnostic,
  env: Environment,
): Pick<ResolvedLimits, 'items' | 'recordBytes'> {
  const recordBytes = integerIn(env, 'SLUICE_RECORD_BYTES', minRecordBytes, reportDiagnostic)
  return { items: Infinity, recordBytes: recordBytes ?? defaultRecordBytes }
}

/** Returns the limits with a limit for the number of values in a record, nested ones included, and a report of truncated records. */
function withValueCountLimit(limits: ResolvedLimits, reportDiagnostic: OnDiagnostic): ResolvedLimits {
  const { recordBytes, depth } = limits
  // A larger record may have one value for each 32 bytes. In a smaller one, more values than one for each 2 bytes would not fit.
  const values = Math.min(recordBytes / 2, Math.max(usualMaxValues, recordBytes / 32))
  const maxDepth = Math.min(Math.max(depth, maxBodyDepth), maxDepthLimit)
  const limitsText = `${recordBytes} bytes (limits.recordBytes), ${values} values or ${maxDepth} nested levels`
  const message = `a record has more than ${limitsText} and was truncated; stats().truncated counts such records`
  return { ...limits, values, onTruncated: () => reportDiagnostic({ code: 'SLUICE_RECORD_TRUNCATED', message }) }
}

/**
 * Returns a limit from the environment: an integer of 0 or more. The variable for log records has precedence over that for all signals.
 */
function limitIn(env: Environment, name: string, reportDiagnostic: OnDiagnostic): number | undefined {
  for (const variable of [`OTEL_LOGRECORD_${name}`, `OTEL_${name}`]) {
    const value = integerIn(env, variable, 0, reportDiagnostic)
    if (value !== undefined) return value
  }
  return undefined
}

function integerIn(
  env: Environment,
  variable: string,
  minimum: number,
  reportDiagnostic: OnDiagnostic,
): number | undefined {
  const value = valueOf(env, variable)
  if (value === undefined) return undefined
  const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN
  if (number >= minimum) return number
  reportInvalid(reportDiagnostic, variable, value, `must be an integer of ${minimum} or more; it is ignored`)
  return undefined
}
