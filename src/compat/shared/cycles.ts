/** A replacer function: the second argument of `JSON.stringify`. */
export type Replacer = (this: unknown, key: string, value: unknown) => unknown

/** Returns a replacer that writes `[Circular]` for an object nested inside itself. */
export function createCycleReplacer(): Replacer {
  const ancestors: unknown[] = []
  return function (_, value) {
    if (typeof value !== 'object' || value === null) return value
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop()
    if (ancestors.includes(value)) return '[Circular]'
    ancestors.push(value)
    return value
  }
}

/** Returns a replacer that writes `[Circular]` for every repeated occurrence of an object, as bunyan does. */
export function createRepetitionReplacer(): Replacer {
  const seen = new Set<unknown>()
  return (_, value) => {
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return '[Circular]'
    seen.add(value)
    return value
  }
}
