import type { AnyValue } from '../record/any-value.ts'
import type { Resource } from '../record/record.ts'
import { sdkVersion } from '../record/sdk.ts'

/** What this package says of itself (RES2), for a `telemetry.sdk.language` of the semantic conventions. */
export function sdkAttributes(language: 'nodejs' | 'webjs'): readonly (readonly [string, string])[] {
  return [
    ['telemetry.sdk.name', 'sluice'],
    ['telemetry.sdk.language', language],
    ['telemetry.sdk.version', sdkVersion],
  ]
}

/** The resource of all records: of two that say the same, the later one counts. Without a service name it is `unknown`. */
export function resourceOf(said: Iterable<readonly [string, AnyValue | undefined]>, unknown: string): Resource {
  const attributes = new Map<string, AnyValue>()
  for (const [key, value] of said) if (value !== undefined) attributes.set(key, value)
  const name = attributes.get('service.name')
  const isNamed = name !== undefined && name !== ''
  if (!isNamed) attributes.set('service.name', unknown)
  return { attributes, serviceName: isNamed ? textOf(name) : undefined, schemaUrl: undefined }
}

function textOf(name: AnyValue): string {
  return typeof name === 'object' ? JSON.stringify(name) : String(name)
}
