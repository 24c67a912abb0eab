/**
 * Returns whether a name matches a pattern: `*` matches any text, `?` one character. Each `*` first matches as little as possible, and
 * only the last `*` so far is extended, because it can match anything that an earlier one could. The time is therefore bounded by the
 * product of the lengths.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  let nameIndex = 0
  let patternIndex = 0
  /** The index of the last `*` in `pattern` so far; -1 before the first. */
  let lastStar = -1
  /** The end in `name` of what the last `*` matches. */
  let starEnd = 0
  while (nameIndex < name.length) {
    if (pattern[patternIndex] === '*') {
      lastStar = patternIndex++
      starEnd = nameIndex
    } else if (pattern[patternIndex] === '?' || pattern[patternIndex] === name[nameIndex]) {
      nameIndex++
      patternIndex++
    } else if (lastStar >= 0) {
      nameIndex = ++starEnd
      patternIndex = lastStar + 1
    } else return false
  }
  while (pattern[patternIndex] === '*') patternIndex++
  return patternIndex === pattern.length
}

/** Returns the number of characters before the first `*` or `?` of a pattern; the length of a pattern without them. */
export function literalPrefixLength(pattern: string): number {
  const index = pattern.search(/[*?]/)
  return index < 0 ? pattern.length : index
}
