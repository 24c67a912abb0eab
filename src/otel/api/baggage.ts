import { member } from '../../options/own-members.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { activeContext, hasContextManager } from './span-context.ts'
import type { OtelContext } from './types.ts'

/**
 * The baggage of a context. It is read by its shape, so that every 1.x version of `@opentelemetry/api` works, and can be custom. The
 * API's baggage never changes: another entry creates another object, so what was read can be cached by the object.
 */
export interface Baggage {
  getEntry?(name: string): unknown
  getAllEntries?(): unknown
}

/** Returns the baggage in a context; undefined if the context has none. Never throws. */
export function baggageIn(context: OtelContext): Baggage | undefined {
  let baggage: unknown
  try {
    baggage = context.getValue(baggageKey)
    // A custom context can return a promise.
    return typeof baggage === 'object' && baggage !== null && !ignoreRejection(baggage) ? baggage : undefined
  } catch {
    return undefined // a custom context threw
  }
}

/** Returns the baggage in the active context; undefined if it has none. Never throws. */
export function activeBaggage(): Baggage | undefined {
  return hasContextManager() ? baggageIn(activeContext()) : undefined
}

/** Returns the value of an entry in the active baggage, or undefined. Never throws. */
export function activeBaggageEntry(name: string): string | undefined {
  return baggageEntry(activeBaggage(), name)
}

/** Returns the value of an entry of baggage, or undefined. Never throws. */
export function baggageEntry(baggage: Baggage | undefined, name: string): string | undefined {
  if (baggage === undefined) return undefined
  try {
    return entryValue(member(baggage, 'getEntry')?.call(baggage, name))
  } catch {
    return undefined // custom baggage threw
  }
}

/** Returns the names and values of all entries of baggage, at most 1,000. An entry whose value is not text is omitted. Never throws. */
export function baggageEntries(baggage: Baggage): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  try {
    const entries = member(baggage, 'getAllEntries')?.call(baggage)
    if (ignoreRejection(entries) || !Array.isArray(entries)) return values
    const count = Math.min(entries.length, maxEntries)
    for (let index = 0; index < count; index++) {
      const [name, entry] = entries[index] as readonly unknown[]
      const value = entryValue(entry)
      if (typeof name === 'string' && value !== undefined) values.set(name, value)
    }
  } catch {
    // Custom baggage threw. The entries before are kept.
  }
  return values
}

const baggageKey = Symbol.for('OpenTelemetry Baggage Key')

/** The maximum number of entries that are read: the API's propagator accepts 180, but custom baggage can report any number. */
const maxEntries = 1_000

/** Returns the value of an entry if it is text. */
function entryValue(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || ignoreRejection(entry)) return undefined
  const value = member(entry as { readonly value?: unknown }, 'value')
  return typeof value === 'string' ? value : undefined
}
