import type { AnyValue } from '../../record/any-value.ts'
import { ValueWalk } from './value-walk.ts'

type Members = Map<string, AnyValue>

/**
 * Builds the values that a message inserts, next to a target that cannot insert its own values. The object of attributes is not built,
 * because a message inserts single attributes.
 */
export class InsertedWalk extends ValueWalk {
  override attributes(): Members {
    return nothing
  }
  override with(object: Members, key: string, part: AnyValue): Members {
    return object === nothing ? object : super.with(object, key, part)
  }
}

const nothing: Members = new Map()
