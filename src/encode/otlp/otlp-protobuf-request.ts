import type { AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { protobufMember } from './otlp-protobuf-walk.ts'
import type { ResourceRun } from './resource-runs.ts'
import { wellFormedMembers } from '../well-formed-members.ts'
import { bytesField, bytesOf, encodeUtf8, varint } from './protobuf.ts'

// A tag in one byte is the number of a field, times 8, plus its wire type: '\x0a' is field 1, '\x12' field 2 and '\x1a' field 3, with a
// length; '\x20' is field 4, a varint.

/** Returns an ExportLogsServiceRequest (opentelemetry-proto, logs_service.proto), in parts. */
export function protobufRequest(resources: readonly ResourceRun[]): Uint8Array[] {
  return resources.flatMap(({ resource, scopeRuns }) =>
    messageField('\x0a', [resourceFields(resource), ...scopeRuns.flatMap(scopeLogs)]),
  )
}

function scopeLogs({ scope, bytes }: ResourceRun['scopeRuns'][number]): Uint8Array[] {
  return messageField('\x12', [scopeFields(scope), bytes])
}

/** Returns a field that is a message, in parts: its tag and length, then its content. */
function messageField(tag: string, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [bytesOf(tag + varint(length)), ...parts]
}

/** Returns the scope and its schema URL as fields of a ScopeLogs. */
function scopeFields({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): Uint8Array {
  let text = ''
  if (name !== undefined && name !== '') text += bytesField('\x0a', encodeUtf8(name))
  if (version !== undefined && version !== '') text += bytesField('\x12', encodeUtf8(version))
  if (attributes !== undefined) text += membersOf('\x1a', attributes)
  if (droppedAttributes > 0) text += '\x20' + varint(droppedAttributes)
  return bytesOf(bytesField('\x0a', text) + schemaField(schemaUrl))
}

/** Returns the resource and its schema URL as fields of a ResourceLogs. */
function resourceFields({ attributes, schemaUrl }: Resource): Uint8Array {
  return bytesOf(bytesField('\x0a', membersOf('\x0a', attributes)) + schemaField(schemaUrl))
}

const schemaField = (url: string | undefined): string =>
  url === undefined || url === '' ? '' : bytesField('\x1a', encodeUtf8(url))

function membersOf(tag: string, attributes: AnyValueMap): string {
  let text = ''
  for (const [key, value] of wellFormedMembers(attributes)) text += protobufMember(key, value, tag)
  return text
}
