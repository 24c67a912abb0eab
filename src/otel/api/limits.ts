import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import {
  bodyDepth,
  defaultLimits,
  mostDepth,
  resolveLimits,
  type Limits,
  type ResolvedLimits,
} from '../../values/limits.ts'
import { reportInvalid, valueOf, type Environment } from '../../platform/node/env.ts'

/**
 * The most bytes of a record that comes through OpenTelemetry's API or SDK, body included: what a gRPC server accepts by
 * default in one message, with room for the resource.
 */
const defaultRecordBytes = 4_000_000
const leastRecordBytes = 1_024
/** How many values a record may have where `recordBytes` is large: millions of them would take seconds. */
const leastValues = 131_072

/**
 * The limits of a provider's records: what code says, over the variables for log records, over those for all signals, over the
 * defaults (LIM1, LIM5). They are OpenTelemetry's: `attributes` is its AttributeCountLimit, `stringLength` its
 * AttributeValueLengthLimit, `depth` its AttributeValueDepthLimit. Nested items have no limit of their own, since it knows
 * none. `configured` are limits of a configuration file. Attributes past the limit are counted in the record, and told (LIM6).
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
  const { attributes, ...rest } = reported(resolveLimits(given, 'limits', problems, standard), reportDiagnostic)
  const message = `a record has more than ${attributes} attributes; those past the limit are left out, and counted in the record`
  const surplus = () => reportDiagnostic({ code: 'SLUICE_ATTRIBUTES_DROPPED', message })
  return { ...rest, attributes, bare: true, surplus }
}

/** The limits of records that an SDK hands over, which has limits for attributes itself (LIM1). `where` names the option. */
export function readableLimits(
  given: Limits | undefined,
  where: string,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
): ResolvedLimits {
  const standard: ResolvedLimits = { ...defaultLimits, attributes: Infinity, ...boundedRecord(reportDiagnostic, env) }
  return { ...reported(resolveLimits(given, where, problems, standard), reportDiagnostic), bare: true }
}

/** What bounds a record as a whole: `SLUICE_RECORD_BYTES`, and nothing else of its own. */
function boundedRecord(
  reportDiagnostic: OnDiagnostic,
  env: Environment,
): Pick<ResolvedLimits, 'items' | 'recordBytes'> {
  const recordBytes = integerIn(env, 'SLUICE_RECORD_BYTES', leastRecordBytes, reportDiagnostic)
  return { items: Infinity, recordBytes: recordBytes ?? defaultRecordBytes }
}

/** The same limits, which bound the values of a record, nested ones included, and report when it is cut. */
function reported(limits: ResolvedLimits, reportDiagnostic: OnDiagnostic): ResolvedLimits {
  const { recordBytes, depth } = limits
  const values = Math.min(recordBytes / 2, Math.max(leastValues, recordBytes / 32))
  const levels = Math.min(Math.max(depth, bodyDepth), mostDepth)
  const size = `${recordBytes} bytes (limits.recordBytes), ${values} values or ${levels} levels of values`
  const message = `a record has more than ${size} and was cut; stats().truncated counts such records`
  return { ...limits, values, truncated: () => reportDiagnostic({ code: 'SLUICE_RECORD_TRUNCATED', message }) }
}

/** A limit of the environment, the log record's own before the general one: an integer of 0 or more. */
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
