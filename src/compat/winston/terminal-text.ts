import { MESSAGE, type TransformableInfo } from './info.ts'

const printableAscii = /^[ -~]*$/

/** A sequence that sets colors and styles (ECMA-48, SGR). */
// oxlint-disable-next-line no-control-regex
const styleSequence = /\u001b\[[\d;:]*m/y
/** A character that can control a terminal or reorder text. */
const unsafeCharacter = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Returns the text of a record in a form that cannot control a terminal. Newlines, tabs, colors and styles are kept, because formats write
 * them. Styles that are still open at the end are reset, so that they do not affect the next record. All other control characters,
 * including C1 and DEL, Unicode's line separators, and marks that reorder text become escapes such as `\u009b`, which JSON reads as the
 * same characters.
 */
export function escapeControlCharacters(text: string): string {
  if (printableAscii.test(text)) return text
  const openStyles = new Set<number>()
  let safe = ''
  let copiedEnd = 0
  for (let found = nextUnsafe(text, 0); found >= 0; found = nextUnsafe(text, copiedEnd)) {
    safe += text.slice(copiedEnd, found)
    styleSequence.lastIndex = found
    const sequence = styleSequence.exec(text)?.[0]
    safe += sequence ?? escapeCharacter(text[found]!)
    copiedEnd = found + (sequence?.length ?? 1)
    if (sequence !== undefined) trackStyles(sequence, openStyles)
  }
  return safe + text.slice(copiedEnd) + (openStyles.size > 0 ? '\u001b[0m' : '')
}

/**
 * Escapes the control characters in the finished text of an info. Returns a copy if that changes the text, because other transports and
 * listeners receive the same info.
 */
export function withEscapedControls(info: TransformableInfo): TransformableInfo {
  const text = info[MESSAGE]
  if (typeof text !== 'string') return info
  const safe = escapeControlCharacters(text)
  return safe === text ? info : { ...info, [MESSAGE]: safe }
}

/** Returns the index of the next unsafe character; -1 if the rest is safe. */
function nextUnsafe(text: string, from: number): number {
  unsafeCharacter.lastIndex = from
  return unsafeCharacter.exec(text)?.index ?? -1
}

/** Returns the escape of an unsafe character; a newline or tab unchanged. */
function escapeCharacter(character: string): string {
  if (character === '\n' || character === '\t') return character
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Updates the set of open styles, each represented by the code that resets it. */
function trackStyles(sequence: string, openStyles: Set<number>): void {
  const parameters = sequence.slice(2, -1).split(';')
  for (let index = 0; index < parameters.length; index++) {
    // Colons separate parts of one parameter, as in `4:3`, a curly underline, `4:0`, none, and `38:2::255:0:0`, a color.
    const [code = 0, part, ...parts] = parameters[index]!.split(':').map(Number)
    const resetCode = resetCodeOf(code)
    if (part !== undefined) {
      if (code === 4 && part === 0 && parts.length === 0) openStyles.delete(24)
      else if (resetCode !== undefined) openStyles.add(resetCode)
      continue
    }
    if (code === 0) openStyles.clear()
    else if (resetCode === undefined) openStyles.delete(code)
    else openStyles.add(resetCode)
    // Skip the parameters of a color: 5 and a number of the 256-color palette, or 2 and red, green and blue.
    if (code === 38 || code === 48 || code === 58) {
      const kind = Number(parameters[index + 1])
      index += kind === 5 ? 2 : kind === 2 ? 4 : parameters.length
    }
  }
}

/**
 * Returns the code that resets the style set by a code (ECMA-48, SGR, and common extensions); undefined if the code sets none. Some
 * terminals treat 21, a double underline, as bold off. An additional reset has no effect there.
 */
function resetCodeOf(code: number): number | undefined {
  return resetCodes.find(([first, last]) => code >= first && code <= last)?.[2]
}

/** The first and the last code of each range of styles, and the code that resets them. */
const resetCodes: readonly (readonly [first: number, last: number, reset: number])[] = [
  [1, 2, 22], // bold, faint
  [3, 3, 23], // italic
  [4, 4, 24], // underlined
  [5, 6, 25], // blinking
  [7, 7, 27], // inverse
  [8, 8, 28], // hidden
  [9, 9, 29], // crossed out
  [11, 19, 10], // font
  [20, 20, 23], // Fraktur
  [21, 21, 24], // doubly underlined
  [26, 26, 50], // proportional spacing
  [30, 38, 39], // color
  [40, 48, 49], // background color
  [51, 52, 54], // framed, encircled
  [53, 53, 55], // line above
  [58, 58, 59], // color of the underline
  [60, 64, 65], // ideogram marks
  [73, 74, 75], // superscript, subscript
  [90, 97, 39], // bright color
  [100, 107, 49], // bright background color
]
