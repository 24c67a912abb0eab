import type { AnyValue } from '../../record/any-value.ts'
import { DataWalk } from './data-walk.ts'
import type { Bytes } from './members.ts'

type Members = Map<string, AnyValue>

/** Builds data for snapshots, for values that a message inserts, and for human-readable lines. */
export class ValueWalk extends DataWalk<AnyValue, Members> {
  override ofBytes(value: Bytes): AnyValue {
    return value.bytes.slice()
  }
  override object(): Members {
    return new Map()
  }
  override with(object: Members, key: string, part: AnyValue): Members {
    return object.set(key, part)
  }
}
