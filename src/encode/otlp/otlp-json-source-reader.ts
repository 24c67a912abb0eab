import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import {
  countOf,
  invalidOtlpJson,
  integerText,
  itemsOf,
  memberOf,
  maxUint32,
  objectOf,
  textOf,
} from './otlp-json-members.ts'
import type { JsonObject } from './otlp-json-members.ts'

/** Reads the scope of an OTLP/JSON ScopeLogs. Throws if it is damaged. */
export function readScope(scopeLogs: JsonObject): Scope {
  const scope = objectOf(memberOf(scopeLogs, 'scope') ?? {})
  const name = textOf(scope, 'name')
  const version = textOf(scope, 'version')
  return {
    name: name === '' ? undefined : name,
    version: version === '' ? undefined : version,
    schemaUrl: schemaUrlOf(scopeLogs),
    attributes: membersOf(scope, 'attributes'),
    droppedAttributes: countOf(scope, 'droppedAttributesCount', maxUint32) ?? 0,
  }
}

/** Reads the resource of an OTLP/JSON ResourceLogs. Throws if it is damaged. */
export function readResource(resourceLogs: JsonObject): Resource {
  const attributes = membersOf(objectOf(memberOf(resourceLogs, 'resource') ?? {}), 'attributes')
  const name = attributes.get('service.name')
  return {
    attributes,
    // `unknown_service` is OpenTelemetry's default for a service without a name.
    serviceName: typeof name === 'string' && !name.startsWith('unknown_service') ? name : undefined,
    schemaUrl: schemaUrlOf(resourceLogs),
  }
}

function schemaUrlOf(logs: JsonObject): string | undefined {
  const url = textOf(logs, 'schemaUrl')
  return url === '' ? undefined : url
}

function membersOf(object: JsonObject, name: string): AnyValueMap {
  return new Map(
    itemsOf(object, name).map((item) => {
      const keyValue = objectOf(item)
      return [textOf(keyValue, 'key'), valueOf(memberOf(keyValue, 'value') ?? {})]
    }),
  )
}

function valueOf(item: unknown): AnyValue {
  const value = objectOf(item)
  const has = (name: string): boolean => memberOf(value, name) !== undefined
  if (has('stringValue')) return textOf(value, 'stringValue')
  if (has('boolValue')) return typeof value['boolValue'] === 'boolean' ? value['boolValue'] : fail()
  if (has('intValue')) return integerOf(value['intValue'])
  if (has('doubleValue')) return doubleOf(value['doubleValue'])
  if (has('bytesValue')) return bytesOf(textOf(value, 'bytesValue'))
  if (has('arrayValue')) return itemsOf(objectOf(value['arrayValue']), 'values').map((each) => valueOf(each ?? {}))
  if (has('kvlistValue')) return membersOf(objectOf(value['kvlistValue']), 'values')
  return null
}

function integerOf(value: unknown): number | bigint {
  const text = integerText(value, -(2n ** 63n), 2n ** 63n - 1n)
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

function doubleOf(value: unknown): number {
  const isNonFiniteName = value === 'NaN' || value === 'Infinity' || value === '-Infinity'
  return isNonFiniteName || typeof value === 'number' ? Number(value) : fail()
}

/** Decodes standard base64 (RFC 4648 section 4). Does not use Node's Buffer, because this layer runs on any platform. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function fail(): never {
  throw invalidOtlpJson
}
