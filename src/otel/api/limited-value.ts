import { truncate } from '../../encode/json/quote.ts'
import type { ResolvedLimits } from '../../values/limits.ts'

/** The limits of attribute values. */
type ValueLimits = Pick<ResolvedLimits, 'depth' | 'stringLength'>

/** The largest number of nested values that are checked. The rest is returned unchanged; the encoder limits it. */
const maxValues = 10_000

/**
 * Returns an attribute value with OpenTelemetry's limits applied: strings and bytes are truncated (LIM2), and containers that are
 * nested too deeply become null (LIM4). Returns the same value when nothing changes. Values that are not plain data are returned
 * unchanged: the encoder resolves and limits them. Throws when reading the value throws.
 */
export function limitedValue(value: unknown, limits: ValueLimits): unknown {
  return new Limiter(limits).value(value, 1)
}

class Limiter {
  private readonly limits: ValueLimits
  private remaining = maxValues

  constructor(limits: ValueLimits) {
    this.limits = limits
  }

  value(value: unknown, depth: number): unknown {
    const { stringLength, depth: maxDepth } = this.limits
    if (typeof value === 'string') return value.length <= stringLength ? value : truncate(value, stringLength)
    if (typeof value !== 'object' || value === null || --this.remaining < 0) return value
    if (value instanceof Uint8Array)
      return value.length <= stringLength ? value : Uint8Array.from(value.subarray(0, stringLength))
    const isArray = Array.isArray(value)
    if (!isArray && !isPlain(value)) return value
    if (depth > maxDepth) return null
    return isArray ? this.items(value, depth) : this.members(value, depth)
  }

  private items(array: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | undefined
    for (let index = 0; index < array.length && this.remaining > 0; index++) {
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
      if (this.remaining <= 0) break
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
