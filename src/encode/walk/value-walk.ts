import type { AnyValue } from '../../record/any-value.ts'
import { DataWalk } from './data-walk.ts'
import type { Bytes } from './members.ts'

type ValueMap = Map<string, AnyValue>

/** Builds data for snapshots, for values that a message inserts, and for human-readable lines. */
export class ValueWalk extends DataWalk<AnyValue, ValueMap> {
  override ofBytes(value: Bytes): AnyValue {
    return value.bytes.slice()
  }
  override newObject(): ValueMap {
    return new Map()
  }
  override withKey(object: ValueMap, key: string, builtValue: AnyValue): ValueMap {
    return object.set(key, builtValue)
  }
}
