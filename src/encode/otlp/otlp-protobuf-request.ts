import type { AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { protobufMember } from './otlp-protobuf-walk.ts'
import type { ResourceRun } from './resource-runs.ts'
import { wellFormedMembers } from '../well-formed-members.ts'
import { bytesField, bytesOf, utf8, varint } from './protobuf.ts'

/** Returns an ExportLogsServiceRequest (opentelemetry-proto, logs_service.proto), in parts. */
export function protobufRequest(resources: readonly ResourceRun[]): Uint8Array[] {
  return resources.flatMap(({ resource, runs }) =>
    message('\x0a', [resourceField(resource), ...runs.flatMap(scopeLogs)]),
  )
}

function scopeLogs({ scope, bytes }: ResourceRun['runs'][number]): Uint8Array[] {
  return message('\x12', [scopeField(scope), bytes])
}

/** Returns a message after its tag and length. */
function message(tag: string, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [bytesOf(tag + varint(length)), ...parts]
}

/** Returns the scope and its schema URL as fields of a ScopeLogs. */
function scopeField({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): Uint8Array {
  let text = ''
  if (name !== undefined && name !== '') text += bytesField('\x0a', utf8(name))
  if (version !== undefined && version !== '') text += bytesField('\x12', utf8(version))
  if (attributes !== undefined) text += membersOf('\x1a', attributes)
  if (droppedAttributes > 0) text += '\x20' + varint(droppedAttributes)
  return bytesOf(bytesField('\x0a', text) + schemaField(schemaUrl))
}

/** Returns the resource and its schema URL as fields of a ResourceLogs. */
function resourceField({ attributes, schemaUrl }: Resource): Uint8Array {
  return bytesOf(bytesField('\x0a', membersOf('\x0a', attributes)) + schemaField(schemaUrl))
}

const schemaField = (url: string | undefined): string =>
  url === undefined || url === '' ? '' : bytesField('\x1a', utf8(url))

function membersOf(tag: string, attributes: AnyValueMap): string {
  let text = ''
  for (const [key, value] of wellFormedMembers(attributes)) text += protobufMember(key, value, tag)
  return text
}
