/** Blanks within a line, in the syntax of a character class: Unicode spaces (category Zs), tabs and zero-width spaces. */
export const blankCharacters: string = String.raw` \t\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff`

const blankExpression = new RegExp(`[${blankCharacters}]`)

/** Returns whether a character is a blank; false for the empty text. */
export function isBlank(character: string): boolean {
  return blankExpression.test(character)
}
