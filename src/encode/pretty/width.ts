import { isPrintableAscii } from '../json/quote.ts'

/**
 * Returns how many columns a terminal needs for a text without control characters. East Asian wide characters and emoji need two,
 * combining marks and format characters none (Unicode Standard Annex 11, Unicode Technical Standard 51).
 */
export function displayWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length
  let width = 0
  for (const [character] of text.matchAll(characters)) width += characterWidth(character)
  return width
}

/** Returns the length, in UTF-16 units, of the longest beginning of a text that needs at most `maxWidth` columns. */
export function fittingLength(text: string, maxWidth: number): number {
  if (isPrintableAscii(text)) return Math.min(text.length, maxWidth)
  let width = 0
  for (const { 0: character, index } of text.matchAll(characters)) {
    width += characterWidth(character)
    // A long sequence of combining marks has no width, but makes a terminal slow.
    if (width > maxWidth || index > maxWidth * maxUnitsPerColumn) return index
  }
  return text.length
}

/** The maximum number of UTF-16 units for each column. */
const maxUnitsPerColumn = 16

/**
 * Matches a flag, an emoji with its modifiers and those joined to it, or any other character. `\p{RGI_Emoji}` would match the same
 * sequences, but an expression with it takes 6 ms to compile.
 */
const characters =
  /\p{RI}{2}|\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{EMod})?)*|[0-9#*]\ufe0f?\u20e3|./gsu
/** Characters that are shown as emoji, which are wide. */
const emoji = /^(?:\p{Emoji_Presentation}|\p{RI}{2}|.\ufe0f)/u
/** East Asian wide and fullwidth characters, in blocks: unassigned characters of a block are as wide as the others. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u

function characterWidth(character: string): number {
  if (character.charCodeAt(0) < 0x300) return character.includes('\ufe0f') || character.includes('\u20e3') ? 2 : 1
  return emoji.test(character) || wide.test(character) ? 2 : zeroWidth.test(character) ? 0 : 1
}
