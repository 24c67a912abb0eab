/**
 * The ids that a title names: `OTL9` and the like, `JS3 to JS9` for all of them, and rows of the fault matrix in brackets:
 * `(row 38)`, `(rows 38, 39 and 41)`.
 *
 * @param series - the letters in front of the numbers that make an id, `OTL` for one
 */
export function idsIn(title: string, series: readonly string[]): string[] {
  const letters = series.join('|')
  const single = title.matchAll(new RegExp(`\\b(?:${letters})\\d+\\b`, 'g'))
  const range = title.matchAll(new RegExp(`\\b(${letters})(\\d+) to \\1(\\d+)\\b`, 'g'))
  const bracket = title.matchAll(/\([^()]*\brows? \d[^()]*\)/g)
  return [
    ...new Set([
      ...Array.from(single, ([id]) => id),
      ...Array.from(range, ([, letters, first, last]) => between(letters!, Number(first), Number(last))).flat(),
      ...Array.from(bracket, ([text]) => rowsIn(text)).flat(),
    ]),
  ]
}

function between(letters: string, first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${letters}${first + index}`)
}

function rowsIn(text: string): string[] {
  const lists = text.match(/\brows? \d+(?:(?:, | and )\d+)*/g) ?? []
  return lists.flatMap((list) => (list.match(/\d+/g) ?? []).map((number) => `row ${number}`))
}
