import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource } from '../../record/instrumentation-source.ts'
import { resourceOf, sdkAttributes } from '../../lifecycle/resource.ts'
import { reportInvalid } from './env.ts'
import { valueOf, type Environment } from './variables.ts'

/** Resource attributes set in code. */
export type ResourceAttributes = Readonly<Record<string, string | number | boolean>>

/**
 * Returns the resource of all records. Precedence is, highest first: `configuredAttributes`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, the SDK attributes, which name this package, `detectedAttributes`. Without a service name it is
 * `unknown_service:node`. If any part of `OTEL_RESOURCE_ATTRIBUTES` is invalid, that is reported as `SLUICE_ENV_INVALID` and the
 * whole variable is ignored. Never throws.
 *
 * @param configuredAttributes - The attributes set in code.
 * @param detectedAttributes - The attributes found by resource detectors.
 */
export function resourceFrom(
  configuredAttributes: ResourceAttributes | AnyValueMap | undefined,
  reportDiagnostic: OnDiagnostic,
  env: Environment = process.env,
  detectedAttributes: AnyValueMap = new Map(),
): Resource {
  const serviceName = valueOf(env, 'OTEL_SERVICE_NAME')
  const configuredEntries: Iterable<[string, AnyValue | undefined]> =
    configuredAttributes instanceof Map ? configuredAttributes : Object.entries(configuredAttributes ?? {})
  const environmentEntries: [string, AnyValue | undefined][] = [
    ...environmentAttributes(env, reportDiagnostic),
    ['service.name', serviceName],
  ]
  return resourceOf(
    [...detectedAttributes, ...sdkAttributes('nodejs'), ...environmentEntries, ...configuredEntries],
    'unknown_service:node',
  )
}

/** Reads `key=value,key=value`, both percent-encoded, as in W3C Baggage but without properties. */
function environmentAttributes(env: Environment, reportDiagnostic: OnDiagnostic): [string, string][] {
  const text = valueOf(env, 'OTEL_RESOURCE_ATTRIBUTES')
  if (text === undefined) return []
  const list = resourceAttributeList(text)
  if (list !== undefined) return list
  const message = 'must be a list of key=value with percent-encoded keys and values; all of it is ignored'
  reportInvalid(reportDiagnostic, 'OTEL_RESOURCE_ATTRIBUTES', text, message)
  return []
}

/** Parses a list in the format of `OTEL_RESOURCE_ATTRIBUTES`. Returns undefined if any part of it is invalid. */
export function resourceAttributeList(text: string): [string, string][] | undefined {
  try {
    return text.split(',').map(pairOf)
  } catch {
    return undefined
  }
}

/** @throws TypeError or URIError if the pair is invalid. */
function pairOf(pair: string): [string, string] {
  const [key, value, extra] = pair.split('=')
  // ',' and '=' must be percent-encoded in keys and values, so a second '=' is an error, like an invalid escape.
  if (key === undefined || key.trim() === '' || value === undefined || extra !== undefined) throw new TypeError(pair)
  return [decodeURIComponent(key.trim()), decodeURIComponent(value.trim())]
}
