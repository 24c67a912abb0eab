/**
 * Returns the known word that is closest to `word`: the one with the fewest edits (letters inserted, deleted, replaced, or
 * swapped with their neighbor), ignoring case, at most 2, or 1 for words of less than four letters. Returns undefined if none is
 * that close.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const max = word.length < 4 ? 1 : 2
  let found: string | undefined
  let fewest = max + 1
  for (const candidate of known) {
    const count = edits(word.toLowerCase(), candidate.toLowerCase(), max)
    if (count < fewest) {
      found = candidate
      fewest = count
    }
  }
  return found
}

/**
 * Returns the number of edits between two words. If their lengths differ by more than `max`, it is only known to be more than
 * that.
 */
function edits(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) > max) return max + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, isSwap ? beforeLast[j - 2]! + 1 : Infinity)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}
