import { DataWalk } from '../../encode/walk/data-walk.ts'
import type { Bytes } from '../../encode/walk/members.ts'
import { setMember } from '../../options/define-member.ts'
import { defaultLimits, type ResolvedLimits } from '../../values/limits.ts'
import { InfoBytes } from './info-bytes.ts'

/** Texts are as long as they are, as winston has them; of nested values, what would never end is cut. */
export const plainLimits: ResolvedLimits = { ...defaultLimits, recordBytes: Infinity, values: 1_000_000 }

type Plain = Record<string, unknown>

/** Builds plain objects and arrays, as formats of users expect them: no code of anybody is reachable from them. */
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
