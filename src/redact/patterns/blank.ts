/** Blanks within a line, as in a class of an expression: the spaces of Unicode (category Zs), tabs, and spaces without width. */
export const blank: string = String.raw` \t\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff`

const one = new RegExp(`[${blank}]`)

/** Whether a character is a blank; false for the empty text. */
export function isBlank(character: string): boolean {
  return one.test(character)
}
