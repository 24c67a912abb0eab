import { truncate } from '../../encode/json/quote.ts'
import type { ResolvedLimits } from '../../values/limits.ts'

/** The limits of attribute values. */
type ValueLimits = Pick<ResolvedLimits, 'depth' | 'stringLength'>

/** The maximum number of objects, arrays and byte arrays in a value that are checked. The rest is unchanged; the encoder limits it. */
const maxObjects = 10_000

/**
 * Returns an attribute value with OpenTelemetry's limits applied: strings and bytes are truncated, and arrays and objects that are
 * nested too deeply become null. Returns the same value if nothing changes. Values that are not plain data are returned unchanged:
 * the encoder converts and limits them.
 *
 * @throws an error when reading the value throws
 */
export function limitedValue(value: unknown, limits: ValueLimits): unknown {
  return new Limiter(limits).limited(value, 1)
}

class Limiter {
  private readonly limits: ValueLimits
  private remainingObjects = maxObjects

  constructor(limits: ValueLimits) {
    this.limits = limits
  }

  limited(value: unknown, depth: number): unknown {
    const { stringLength, depth: maxDepth } = this.limits
    if (typeof value === 'string') return value.length <= stringLength ? value : truncate(value, stringLength)
    if (typeof value !== 'object' || value === null || --this.remainingObjects < 0) return value
    if (value instanceof Uint8Array)
      return value.length <= stringLength ? value : Uint8Array.from(value.subarray(0, stringLength))
    const isArray = Array.isArray(value)
    if (!isArray && !isPlainObject(value)) return value
    if (depth > maxDepth) return null
    return isArray ? this.limitedArray(value, depth) : this.limitedObject(value, depth)
  }

  private limitedArray(array: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | undefined
    for (let index = 0; index < array.length && this.remainingObjects > 0; index++) {
      const item = array[index]
      const limited = this.limited(item, depth + 1)
      if (limited === item) continue
      copy ??= [...array]
      copy[index] = limited
    }
    return copy ?? array
  }

  private limitedObject(object: object, depth: number): unknown {
    let copy: Record<string, unknown> | undefined
    for (const [key, value] of Object.entries(object)) {
      if (this.remainingObjects <= 0) break
      const limited = this.limited(value, depth + 1)
      if (limited === value) continue
      copy ??= { __proto__: null, ...object } as Record<string, unknown>
      copy[key] = limited
    }
    return copy ?? object
  }
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
