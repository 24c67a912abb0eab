import type { ConfigurationProblem, OnProblem } from '../record/problems.ts'
import { defaultLimits, resolveLimits, type Limits, type ResolvedLimits } from '../rules/limits.ts'
import { tellInvalid, valueOf, type Environment } from '../runtime/env.ts'

/**
 * The limits of a provider's records: what code says, over the variables for log records, over those for all signals, over the
 * defaults (LIM1, LIM5). They are OpenTelemetry's: `attributes` is its AttributeCountLimit, `stringLength` its
 * AttributeValueLengthLimit, `depth` its AttributeValueDepthLimit. Nested items have no limit of their own, since it knows
 * none. Attributes past the limit are counted in the record, and told (LIM6).
 */
export function recordLimits(
  given: Limits | undefined,
  tell: OnProblem,
  problems: ConfigurationProblem[],
  env: Environment = process.env,
): ResolvedLimits {
  const count = limitIn(env, 'ATTRIBUTE_COUNT_LIMIT', tell)
  const length = limitIn(env, 'ATTRIBUTE_VALUE_LENGTH_LIMIT', tell)
  const standard: ResolvedLimits = {
    ...defaultLimits,
    items: Infinity,
    attributes: count ?? defaultLimits.attributes,
    stringLength: length ?? defaultLimits.stringLength,
  }
  const { attributes, ...rest } = resolveLimits(given, 'limits', problems, standard)
  const message = `a record has more than ${attributes} attributes; those past the limit are left out, and counted in the record`
  const surplus = () => tell({ code: 'SLUICE_ATTRIBUTES_DROPPED', message })
  return { ...rest, attributes, bare: true, surplus }
}

/** A limit of the environment, the log record's own before the general one: an integer of 0 or more. */
function limitIn(env: Environment, name: string, tell: OnProblem): number | undefined {
  for (const variable of [`OTEL_LOGRECORD_${name}`, `OTEL_${name}`]) {
    const value = valueOf(env, variable)
    if (value === undefined) continue
    if (/^\d{1,15}$/.test(value)) return Number(value)
    tellInvalid(tell, variable, value, 'must be an integer of 0 or more; it is ignored')
  }
  return undefined
}
