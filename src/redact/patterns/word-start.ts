/** Source of an expression: no word goes on here from the left. What JSON writes for a line break ends in a letter, and ends a word. */
export const wordStart: string = String.raw`(?:(?<=\\[nrtbf])|(?<![A-Za-z0-9_]))`

const letter = /[A-Za-z]/

/**
 * Whether a letter in front of `at` belongs to the word there. The letter of an escape of JSON does not (`\n4111`), nor that of an
 * encoded character in a URL (`%3A4111`).
 */
export function followsLetter(text: string, at: number): boolean {
  const before = text.charAt(at - 1)
  if (!letter.test(before)) return false
  if (/[nrtbf]/.test(before) && text[at - 2] === '\\') return false
  return !/%[\dA-Fa-f]{2}$/.test(text.slice(Math.max(0, at - 3), at))
}
