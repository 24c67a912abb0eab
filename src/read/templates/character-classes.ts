/** Classes of characters, as bits. */
export const letter = 1
export const digit = 2
/** A hexadecimal digit, which is also a letter or a digit. */
export const hex = 4
/** A character that joins words to one value: `. : - + _`. */
export const joiner = 8

/** The classes of ASCII characters. All other characters are letters. */
const classes = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) classes[code] = letter
  if (/[0-9]/.test(character)) classes[code] = digit
  if (/[0-9a-f]/i.test(character)) classes[code]! |= hex
  if (/[-._:+]/.test(character)) classes[code] = joiner
}

/** Returns the classes of the character at a position; 0 after the end. Characters that are not ASCII count as letters. */
export function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? classes[code]! : code >= 128 ? letter : 0
}

/** Returns whether there is a letter or digit at a position. */
export function isWordCharacter(text: string, at: number): boolean {
  return (classOf(text, at) & (letter | digit)) !== 0
}

/** Returns whether there is a decimal digit at a position. */
export function isDigit(text: string, at: number): boolean {
  return (classOf(text, at) & digit) !== 0
}

/** Returns whether there is a hexadecimal digit at a position. */
export function isHexDigit(text: string, at: number): boolean {
  return (classOf(text, at) & hex) !== 0
}

/** Returns whether there is a joiner at a position. */
export function isJoiner(text: string, at: number): boolean {
  return classOf(text, at) === joiner
}
