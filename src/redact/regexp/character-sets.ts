/** Characters as bits: one for each of ASCII, and one for all others together. */
export type CharacterSet = bigint

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const others: CharacterSet = 1n << 128n
/** Every character. */
export const anyCharacter: CharacterSet = (1n << 129n) - 1n
/** What can make an expression of one character match some that is not ASCII. */
const reachesOthers = /[^\0-\x7f]|\\[DWSspPuxc0-7q]|\[\^|^\.$/
/** Strings of a class that consist of ASCII. */
const asciiStrings = /\\q\{[\0-[\]-|~\x7f]*\}/g
/** Not ASCII, and equal to letters of ASCII where Unicode ignores case. */
const foldedToAscii = '\u017f\u212a'

/**
 * Determines the characters that an expression of one character matches by asking the engine, so that classes, properties and
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
