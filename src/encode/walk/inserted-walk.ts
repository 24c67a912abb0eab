import type { AnyValue } from '../../record/any-value.ts'
import { ValueWalk } from './value-walk.ts'

type Members = Map<string, AnyValue>

/**
 * Builds the values that a message inserts, beside a target that cannot insert its own. The attributes themselves are not collected:
 * the message inserts single ones.
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
