/**
 * Returns the known word that is closest to `word`: the one with the fewest edits (letters inserted, deleted, replaced, or
 * swapped with their neighbor), ignoring case. Returns undefined if no word is within 2 edits, or within 1 for a `word` of fewer than
 * four letters.
 */
export function nearestName(word: string, knownWords: readonly string[]): string | undefined {
  const maxEdits = word.length < 4 ? 1 : 2
  let closest: string | undefined
  let fewestEdits = maxEdits + 1
  for (const candidate of knownWords) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), maxEdits)
    if (distance < fewestEdits) {
      closest = candidate
      fewestEdits = distance
    }
  }
  return closest
}

/** Returns the number of edits between two words, or `maxEdits + 1` if their lengths differ by more than `maxEdits`. */
function editDistance(from: string, to: string, maxEdits: number): number {
  if (Math.abs(from.length - to.length) > maxEdits) return maxEdits + 1
  // Rows of the table of distances between the first i letters of `from` and the first j letters of `to`.
  let rowBeforePrevious: number[] = []
  let previousRow = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaceCost = previousRow[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        previousRow[j]! + 1,
        row[j - 1]! + 1,
        replaceCost,
        isSwap ? rowBeforePrevious[j - 2]! + 1 : Infinity,
      )
    }
    rowBeforePrevious = previousRow
    previousRow = row
  }
  return previousRow[to.length]!
}
