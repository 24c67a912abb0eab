/** A set of characters as bits: one for each ASCII character, and one for all other characters together. */
export type CharacterSet = bigint

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const others: CharacterSet = 1n << 128n
/** Every character. */
export const anyCharacter: CharacterSet = (1n << 129n) - 1n
/** Syntax with which an expression of one character can match a non-ASCII character. */
const reachesOthers = /[^\0-\x7f]|\\[DWSspPuxc0-7q]|\[\^|^\.$/
/** Strings in a class that consist of ASCII characters. */
const asciiStrings = /\\q\{[\0-[\]-|~\x7f]*\}/g
/** Non-ASCII characters that equal ASCII letters in case-insensitive Unicode matching. */
const foldedToAscii = '\u017f\u212a'

/**
 * Returns the characters that an expression of one character matches. It tests them with the engine, so that classes, properties and
 * case-insensitivity mean exactly what they mean when the expression runs.
 */
export function characterSetOf(source: string, flags: string): CharacterSet {
  let set = 0n
  const whole = new RegExp(`^(?:${source})$`, flags)
  for (const [code, character] of ascii.entries()) if (whole.test(character)) set |= 1n << BigInt(code)
  return reachesOthers.test(source.replaceAll(asciiStrings, '')) || new RegExp(source, flags).test(foldedToAscii)
    ? set | others
    : set
}
