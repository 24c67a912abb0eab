import { DataWalk } from '../../encode/walk/data-walk.ts'
import type { Bytes } from '../../encode/walk/members.ts'
import { define, setMember } from '../../options/define-member.ts'
import { defaultLimits, type ResolvedLimits } from '../../values/limits.ts'
import { inspect } from 'node:util'
import { base64 } from '../../encode/json/base64.ts'

/**
 * Default limits, but records have no size limit, because winston does not truncate text. Instead the number of values is limited, so
 * that the walk of an object with endless members ends.
 */
export const defaultInfoLimits: ResolvedLimits = { ...defaultLimits, recordBytes: Infinity, values: 1_000_000 }

type PlainObject = Record<string, unknown>

/** Builds plain objects and arrays, as custom formats expect them. No user code is reachable from them. */
export class PlainWalk extends DataWalk<unknown, PlainObject> {
  override ofNumber(value: number): unknown {
    return Number.isFinite(value) ? value : String(value)
  }
  override ofBytes(value: Bytes): unknown {
    return new InfoBytes(value.bytes)
  }
  override newObject(): PlainObject {
    return {}
  }
  override withKey(object: PlainObject, key: string, part: unknown): PlainObject {
    setMember(object, key, part)
    return object
  }
}

/**
 * Bytes in an info. Formats show them as base64 text, but the rules of a transport still receive the bytes, because patterns would not
 * match the text.
 */
class InfoBytes extends Uint8Array {
  /** Returns the bytes as base64, as lines contain them. */
  toJSON(): string {
    return base64(this)
  }
  override toString(): string {
    return base64(this)
  }
}

// The text that `util.inspect` and `util.format` display.
define(InfoBytes.prototype, inspect.custom, {
  value(this: InfoBytes, _: number, options: object) {
    return inspect(base64(this), options)
  },
})
