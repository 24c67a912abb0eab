import { truncate } from '../../encode/json/quote.ts'
import type { ResolvedLimits } from '../../values/limits.ts'

/** The limits of attribute values. */
type ValueLimits = Pick<ResolvedLimits, 'depth' | 'stringLength'>

/** How many nested values are read. What is larger stays as it is; the encoder limits it. */
const mostValues = 10_000

/**
 * Returns an attribute's value within OpenTelemetry's limits: strings and bytes cut (LIM2), containers that are too deep null
 * (LIM4). The same value where nothing has to be cut. Values that are no plain data stay as they are: the encoder resolves and
 * limits them. Throws what reading them throws.
 */
export function limitedValue(value: unknown, limits: ValueLimits): unknown {
  return new Limiter(limits).value(value, 1)
}

class Limiter {
  private readonly limits: ValueLimits
  private room = mostValues

  constructor(limits: ValueLimits) {
    this.limits = limits
  }

  value(value: unknown, depth: number): unknown {
    const { stringLength, depth: deepest } = this.limits
    if (typeof value === 'string') return value.length <= stringLength ? value : truncate(value, stringLength)
    if (typeof value !== 'object' || value === null || --this.room < 0) return value
    if (value instanceof Uint8Array)
      return value.length <= stringLength ? value : Uint8Array.from(value.subarray(0, stringLength))
    const isArray = Array.isArray(value)
    if (!isArray && !isPlain(value)) return value
    if (depth > deepest) return null
    return isArray ? this.items(value, depth) : this.members(value, depth)
  }

  private items(array: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | undefined
    for (let index = 0; index < array.length && this.room > 0; index++) {
      const item = array[index]
      const limited = this.value(item, depth + 1)
      if (limited === item) continue
      copy ??= [...array]
      copy[index] = limited
    }
    return copy ?? array
  }

  private members(object: object, depth: number): unknown {
    let copy: Record<string, unknown> | undefined
    for (const [key, value] of Object.entries(object)) {
      if (this.room <= 0) break
      const limited = this.value(value, depth + 1)
      if (limited === value) continue
      copy ??= { __proto__: null, ...object } as Record<string, unknown>
      copy[key] = limited
    }
    return copy ?? object
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
