import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { dataToJson } from '../../encode/plain-data.ts'
import { containerMarker } from '../../encode/walk/markers.ts'
import { isInexact, type JsonMembers } from './json-members.ts'

/** Nesting up to which values are read. A deeper value is replaced by a marker, so that no reader of a record overflows the stack. */
export const maxDepth = 256

/** Converts parsed JSON values to values of the data model. */
export class ValueConverter {
  /** Whether a value was an integer that may have lost digits, since this was last set to false. */
  sawInexactInteger = false

  /** Returns a value as a value of the data model. */
  value(value: unknown, depth = 1): AnyValue {
    switch (typeof value) {
      case 'number':
        if (isInexact(value)) this.sawInexactInteger = true
        return value
      case 'string':
      case 'boolean':
      case 'bigint':
        return value
      default:
        if (value === null || value === undefined) return null
        return Array.isArray(value) ? this.array(value, depth) : this.map(value as JsonMembers, depth)
    }
  }

  private array(items: readonly unknown[], depth: number): AnyValue {
    if (depth > maxDepth) return containerMarker('Array', items.length)
    return items.map((item) => this.value(item, depth + 1))
  }

  private map(members: JsonMembers, depth: number): AnyValue {
    const keys = Object.keys(members)
    if (depth > maxDepth) return containerMarker('Object', keys.length)
    const map = new Map<string, AnyValue>()
    for (const key of keys) map.set(key, this.value(members[key], depth + 1))
    return map
  }
}

/** Returns a parsed JSON value as text for a message: a string as it is, everything else as JSON. */
export function messageText(value: unknown): string {
  return typeof value === 'string' ? value : dataToJson(new ValueConverter().value(value))
}

/** A map without members, shared by all records. */
export const emptyMap: AnyValueMap = new Map()
