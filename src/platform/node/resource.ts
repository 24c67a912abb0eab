import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource } from '../../record/record.ts'
import { resourceOf, sdkAttributes } from '../../lifecycle/resource.ts'
import { reportInvalid, valueOf, type Environment } from './env.ts'

/** Resource attributes from code. */
export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>

/**
 * The resource of all records (RES1): what was `detected`, over it `OTEL_RESOURCE_ATTRIBUTES`, over it `OTEL_SERVICE_NAME`,
 * over all of them what code says; without any service name `unknown_service:node`. This package names itself as the SDK
 * (RES2), and only code can change that. An `OTEL_RESOURCE_ATTRIBUTES` with any error in it is told as `SLUICE_ENV_INVALID`
 * and ignored as a whole. Never throws.
 */
export function resourceFrom(
  given: ResourceAttributes | AnyValueMap | undefined,
  reportDiagnostic: OnDiagnostic,
  env: Environment = process.env,
  detected: AnyValueMap = new Map(),
): Resource {
  const serviceName = valueOf(env, 'OTEL_SERVICE_NAME')
  const own: Iterable<[string, AnyValue | undefined]> = given instanceof Map ? given : Object.entries(given ?? {})
  const said: [string, AnyValue | undefined][] = [
    ...environmentAttributes(env, reportDiagnostic),
    ['service.name', serviceName],
  ]
  return resourceOf([...detected, ...sdkAttributes('nodejs'), ...said, ...own], 'unknown_service:node')
}

/** `key=value,key=value`, both percent-encoded, as in W3C Baggage but without properties. */
function environmentAttributes(env: Environment, reportDiagnostic: OnDiagnostic): [string, string][] {
  const text = valueOf(env, 'OTEL_RESOURCE_ATTRIBUTES')
  if (text === undefined) return []
  const list = resourceAttributeList(text)
  if (list !== undefined) return list
  const message = 'is not a list of key=value with percent-encoded keys and values; all of it is ignored'
  reportInvalid(reportDiagnostic, 'OTEL_RESOURCE_ATTRIBUTES', text, message)
  return []
}

/** Parses a list in the format of `OTEL_RESOURCE_ATTRIBUTES`. Returns undefined when any part of it is invalid. */
export function resourceAttributeList(text: string): [string, string][] | undefined {
  try {
    return text.split(',').map(pairOf)
  } catch {
    return undefined
  }
}

function pairOf(pair: string): [string, string] {
  const [key, value, more] = pair.split('=')
  // ',' and '=' inside must be percent-encoded, so a second '=' is an error like an escape that is none.
  if (key === undefined || key.trim() === '' || value === undefined || more !== undefined) throw new TypeError(pair)
  return [decodeURIComponent(key.trim()), decodeURIComponent(value.trim())]
}
