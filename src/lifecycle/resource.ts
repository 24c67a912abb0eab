import type { AnyValue } from '../record/any-value.ts'
import type { Resource } from '../record/instrumentation-source.ts'
import { sdkVersion } from '../record/sdk-version.ts'

/** Returns the resource attributes that name this package as the SDK (semantic conventions, `telemetry.sdk`). */
export function sdkAttributes(language: 'nodejs' | 'webjs'): readonly (readonly [string, string])[] {
  return [
    ['telemetry.sdk.name', 'sluice'],
    ['telemetry.sdk.language', language],
    ['telemetry.sdk.version', sdkVersion],
  ]
}

/** Returns the resource of all records. Later values of a key override earlier ones; undefined values are skipped. */
export function resourceOf(
  entries: Iterable<readonly [string, AnyValue | undefined]>,
  defaultServiceName: string,
): Resource {
  const attributes = new Map<string, AnyValue>()
  for (const [key, value] of entries) if (value !== undefined) attributes.set(key, value)
  const name = attributes.get('service.name')
  const isNamed = name !== undefined && name !== ''
  if (!isNamed) attributes.set('service.name', defaultServiceName)
  return { attributes, serviceName: isNamed ? textOf(name) : undefined, schemaUrl: undefined }
}

function textOf(name: AnyValue): string {
  return typeof name === 'object' ? JSON.stringify(name) : String(name)
}
