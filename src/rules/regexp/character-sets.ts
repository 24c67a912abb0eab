/** Characters as bits: one for each of ASCII, and one for all others together. */
export type CharacterSet = bigint

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('')
const others: CharacterSet = 1n << 128n
/** Every character. */
export const anyCharacter: CharacterSet = (1n << 129n) - 1n
/** What can make an expression of one character match some that is not ASCII. */
const reachesOthers = /[^\0-\x7f]|\\[DWSspPuxc0-7q]|\[\^|^\.$/
/** Not ASCII, and equal to letters of ASCII where Unicode ignores case. */
const foldedToAscii = '\u017f\u212a'

/**
 * Determines the characters that an expression of one character matches by asking the engine, so that classes, properties and
 * case-insensitivity mean exactly what they mean when the expression runs.
 */
export function characterSetOf(source: string, flags: string): CharacterSet {
  let set = 0n
  const matches = new RegExp(source, `g${flags}`)
  for (const { index } of ascii.matchAll(matches)) set |= 1n << BigInt(index)
  return reachesOthers.test(source) || new RegExp(source, flags).test(foldedToAscii) ? set | others : set
}
