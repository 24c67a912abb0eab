import type { AnyValue } from '../../record/any-value.ts'
import { ValueWalk } from './value-walk.ts'

type ValueMap = Map<string, AnyValue>

/**
 * Builds only the values that a message inserts. A `PairWalk` combines it with the walks of targets whose own values cannot be inserted.
 * The object of all attributes is not built, because a message inserts single attributes.
 */
export class InsertedWalk extends ValueWalk {
  override newAttributes(): ValueMap {
    return ignoredAttributes
  }
  override withKey(object: ValueMap, key: string, builtValue: AnyValue): ValueMap {
    return object === ignoredAttributes ? object : super.withKey(object, key, builtValue)
  }
}

const ignoredAttributes: ValueMap = new Map()
