/** A set of characters as bits: one for each ASCII character, and one for all other characters together. */
export type CharacterSet = bigint

const asciiCharacters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const nonAscii: CharacterSet = 1n << 128n
/** Every character. */
export const anyCharacter: CharacterSet = (1n << 129n) - 1n
/** Syntax that may match a non-ASCII character, in an expression of one character. */
const nonAsciiSyntax = /[^\0-\x7f]|\\[DWSspPuxc0-7q]|\[\^|^\.$/
/** Lists of strings in a class, `\q{…}`, that consist of ASCII characters. */
const asciiStrings = /\\q\{[\0-[\]-|~\x7f]*\}/g
/** Non-ASCII characters that equal ASCII letters in case-insensitive Unicode matching. */
const foldedToAscii = '\u017f\u212a'

/**
 * Returns the characters that an expression of one character matches. ASCII characters are tested with the engine, so that classes,
 * properties and case-insensitivity mean exactly what they mean when the expression runs. Non-ASCII characters are included if any may
 * match.
 */
export function characterSetOf(source: string, flags: string): CharacterSet {
  let set = 0n
  const wholeExpression = new RegExp(`^(?:${source})$`, flags)
  for (const [code, character] of asciiCharacters.entries())
    if (wholeExpression.test(character)) set |= 1n << BigInt(code)
  return nonAsciiSyntax.test(source.replaceAll(asciiStrings, '')) || new RegExp(source, flags).test(foldedToAscii)
    ? set | nonAscii
    : set
}
