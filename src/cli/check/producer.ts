import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'

/** The attributes that identify the process that wrote a record, in addition to the resource. */
const processKeys = ['process.pid', 'pid', 'hostname', 'host.name']

/**
 * Returns the name of the process that wrote a record: the attributes of its resource, the process ID, the host and the container. It is
 * empty if the record has none of them.
 */
export function producerOf({ resource, attributes, origin }: ReadRecord): string {
  const parts: string[] = []
  for (const [key, value] of resource) addPart(parts, key, value)
  for (const key of processKeys) if (!resource.has(key)) addPart(parts, key, attributes.get(key))
  if (origin.container !== undefined) parts.push(`container=${origin.container}`)
  return parts.join(' ')
}

function addPart(parts: string[], key: string, value: AnyValue | undefined): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') parts.push(`${key}=${value}`)
}
