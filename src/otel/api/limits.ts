import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import {
  bodyDepth,
  defaultLimits,
  maxDepthLimit,
  resolveLimits,
  type Limits,
  type ResolvedLimits,
} from '../../values/limits.ts'
import { reportInvalid, valueOf, type Environment } from '../../platform/node/env.ts'

/**
 * The default limit for a record from OpenTelemetry's API or SDK, body included, in bytes: what a gRPC server accepts in one
 * message by default, with room for the resource.
 */
const defaultRecordBytes = 4_000_000
const minRecordBytes = 1_024
/**
 * The lower bound of `recordBytes / 32`, the limit for the number of values in a large record: millions of values would take
 * seconds to encode.
 */
const minValuesLimit = 131_072

/**
 * Returns the limits of a provider's records. Precedence is: options in code, variables for log records, variables for all signals,
 * defaults (LIM1, LIM5). They are OpenTelemetry's limits: `attributes` is AttributeCountLimit, `stringLength` is
 * AttributeValueLengthLimit, `depth` is AttributeValueDepthLimit. Nested items have no separate limit, because OpenTelemetry
 * defines none. `configured` contains limits of a configuration file. Attributes over the limit are counted in the record and
 * reported (LIM6).
 */
export function recordLimits(
  given: Limits | undefined,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
  configured: Partial<ResolvedLimits> = {},
): ResolvedLimits {
  const count = limitIn(env, 'ATTRIBUTE_COUNT_LIMIT', reportDiagnostic)
  const length = limitIn(env, 'ATTRIBUTE_VALUE_LENGTH_LIMIT', reportDiagnostic)
  const standard: ResolvedLimits = {
    ...defaultLimits,
    ...boundedRecord(reportDiagnostic, env),
    attributes: count ?? defaultLimits.attributes,
    stringLength: length ?? defaultLimits.stringLength,
    ...configured,
  }
  const { attributes, ...rest } = withReports(resolveLimits(given, 'limits', problems, standard), reportDiagnostic)
  const message = `a record has more than ${attributes} attributes; the others are dropped and counted in the record`
  const surplus = () => reportDiagnostic({ code: 'SLUICE_ATTRIBUTES_DROPPED', message })
  return { ...rest, attributes, bare: true, surplus }
}

/**
 * Returns the limits of records from an SDK, which applies its own attribute limits (LIM1). `where` is the name of the option in
 * errors.
 */
export function readableLimits(
  given: Limits | undefined,
  where: string,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
): ResolvedLimits {
  const standard: ResolvedLimits = { ...defaultLimits, attributes: Infinity, ...boundedRecord(reportDiagnostic, env) }
  return { ...withReports(resolveLimits(given, where, problems, standard), reportDiagnostic), bare: true }
}

/** Returns the limits of a whole record: `SLUICE_RECORD_BYTES`, and no separate limit for items. */
function boundedRecord(
  reportDiagnostic: OnDiagnostic,
  env: Environment,
): Pick<ResolvedLimits, 'items' | 'recordBytes'> {
  const recordBytes = integerIn(env, 'SLUICE_RECORD_BYTES', minRecordBytes, reportDiagnostic)
  return { items: Infinity, recordBytes: recordBytes ?? defaultRecordBytes }
}

/** Returns the limits with a bound for all values of a record, nested ones included, and a report when a record is truncated. */
function withReports(limits: ResolvedLimits, reportDiagnostic: OnDiagnostic): ResolvedLimits {
  const { recordBytes, depth } = limits
  const values = Math.min(recordBytes / 2, Math.max(minValuesLimit, recordBytes / 32))
  const levels = Math.min(Math.max(depth, bodyDepth), maxDepthLimit)
  const size = `${recordBytes} bytes (limits.recordBytes), ${values} values or ${levels} nested levels`
  const message = `a record has more than ${size} and was truncated; stats().truncated counts such records`
  return { ...limits, values, truncated: () => reportDiagnostic({ code: 'SLUICE_RECORD_TRUNCATED', message }) }
}

/**
 * Returns a limit from the environment: an integer of 0 or more. The variable for log records has precedence over the general one.
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
  least: number,
  reportDiagnostic: OnDiagnostic,
): number | undefined {
  const value = valueOf(env, variable)
  if (value === undefined) return undefined
  const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN
  if (number >= least) return number
  reportInvalid(reportDiagnostic, variable, value, `must be an integer of ${least} or more; it is ignored`)
  return undefined
}
