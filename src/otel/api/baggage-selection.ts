import { text, type Check } from '../../options/option-checks.ts'
import { define } from '../../options/define-member.ts'
import { activeBaggage, baggageEntries, baggageIn, type Baggage } from './baggage.ts'
import type { OtelContext } from './types.ts'

/** Checks for the name of a baggage entry, or the beginning of names with a final `*`. */
export const baggageName: Check = text(
  /^(?:[^*]+\*?|\*)$/,
  "be the name of an entry, or the beginning of names with a final *, such as 'user.*'",
)

/**
 * Creates a function that returns the selected entries of the baggage in a context, or in the active one if `context` is undefined, as
 * an object; or undefined without any. It never throws, and creates the object only once for each baggage object.
 *
 * @param selection - names of entries, and beginnings of names with a final `*`
 */
export function baggageReader(selection: readonly string[]): (context: object | undefined) => object | undefined {
  const names = new Set(selection.filter((name) => !name.endsWith('*')))
  const prefixes = selection.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const isSelected = (name: string) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
  /** The attributes by baggage; null if it has no selected entry. */
  const cache = new WeakMap<Baggage, object | null>()
  // Consecutive records often have the same baggage.
  let lastBaggage: Baggage | undefined
  let lastAttributes: object | undefined

  return (context) => {
    const baggage = context === undefined ? activeBaggage() : baggageIn(context as OtelContext)
    if (baggage === lastBaggage) return lastAttributes
    let attributes = baggage === undefined ? null : cache.get(baggage)
    if (attributes === undefined) {
      attributes = selectedEntries(baggage!, isSelected)
      cache.set(baggage!, attributes)
    }
    lastBaggage = baggage
    return (lastAttributes = attributes ?? undefined)
  }
}

function selectedEntries(baggage: Baggage, isSelected: (name: string) => boolean): object | null {
  const attributes: Record<string, string> = {}
  let isEmpty = true
  for (const [name, value] of baggageEntries(baggage)) {
    if (!isSelected(name)) continue
    // Names can be those of members of Object.prototype, such as `__proto__`.
    define(attributes, name, { value, enumerable: true })
    isEmpty = false
  }
  return isEmpty ? null : attributes
}
