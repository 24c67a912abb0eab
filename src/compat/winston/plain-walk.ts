import { DataWalk } from '../../encode/walk/data-walk.ts'
import type { Bytes } from '../../encode/walk/members.ts'
import { setMember } from '../../options/define-member.ts'
import { defaultLimits, type ResolvedLimits } from '../../values/limits.ts'
import { InfoBytes } from './info-bytes.ts'

/** Default limits, but records have no size limit, because winston does not truncate text. Nested values are limited, so that all end. */
export const plainLimits: ResolvedLimits = { ...defaultLimits, recordBytes: Infinity, values: 1_000_000 }

type Plain = Record<string, unknown>

/** Builds plain objects and arrays, as custom formats expect them. No user code is reachable from them. */
export class PlainWalk extends DataWalk<unknown, Plain> {
  override ofNumber(value: number): unknown {
    return Number.isFinite(value) ? value : String(value)
  }
  override ofBytes(value: Bytes): unknown {
    return new InfoBytes(value.bytes)
  }
  override object(): Plain {
    return {}
  }
  override with(object: Plain, key: string, part: unknown): Plain {
    setMember(object, key, part)
    return object
  }
}
