/**
 * The ids that a title names: `OTL9` and the like, `JS3 to JS9` for all of them.
 *
 * @param series - the letters in front of the numbers that make an id, `OTL` for one
 */
export function idsIn(title: string, series: readonly string[]): string[] {
  const letters = series.join('|')
  const single = title.matchAll(new RegExp(`\\b(?:${letters})\\d+\\b`, 'g'))
  const range = title.matchAll(new RegExp(`\\b(${letters})(\\d+) to \\1(\\d+)\\b`, 'g'))
  return [
    ...new Set([
      ...Array.from(single, ([id]) => id),
      ...Array.from(range, ([, letters, first, last]) => between(letters!, Number(first), Number(last))).flat(),
    ]),
  ]
}

function between(letters: string, first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${letters}${first + index}`)
}
