/**
 * The source of an expression that matches a position where a word can begin: the character before it is not part of a word. Neither is the
 * letter of a JSON escape (`\n`, `\r`, `\t`, `\b`, `\f`).
 */
export const wordStartSource: string = String.raw`(?:(?<=\\[nrtbf])|(?<![A-Za-z0-9_]))`

const letter = /[A-Za-z]/

/**
 * Returns whether a letter before `at` belongs to the word there. The letter of a JSON escape does not (`\n4111`), nor does that of a
 * percent-encoded character in a URL (`%3A4111`).
 */
export function followsLetter(text: string, at: number): boolean {
  const before = text.charAt(at - 1)
  if (!letter.test(before)) return false
  if (/[nrtbf]/.test(before) && text[at - 2] === '\\') return false
  return !/%[\dA-Fa-f]{2}$/.test(text.slice(Math.max(0, at - 3), at))
}
