import { MESSAGE, type TransformableInfo } from './info.ts'

const printableAscii = /^[ -~]*$/

/** A sequence that sets colors and styles (ECMA-48, SGR), and a character that can control a terminal or reorder text. */
// oxlint-disable-next-line no-control-regex
const style = /\u001b\[[\d;:]*m/y
const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Returns finished text that cannot control a terminal. Line breaks, tabs, colors and styles are kept, because formats write them; styles
 * that are still open at the end are reset, so that they do not affect the next record. All other control characters, including C1 and
 * DEL, and marks that reorder text become escapes such as `\u009b`, which JSON reads as the same characters.
 */
export function terminalText(text: string): string {
  if (printableAscii.test(text)) return text
  const open = new Set<number>()
  let safe = ''
  let from = 0
  for (let found = next(text, 0); found >= 0; found = next(text, from)) {
    safe += text.slice(from, found)
    style.lastIndex = found
    const sequence = style.exec(text)?.[0]
    safe += sequence ?? escaped(text[found]!)
    from = found + (sequence?.length ?? 1)
    if (sequence !== undefined) trackStyles(sequence, open)
  }
  return safe + text.slice(from) + (open.size > 0 ? '\u001b[0m' : '')
}

/** Makes the finished text of an info safe for a terminal. */
export function withTerminalText(info: TransformableInfo): TransformableInfo {
  const text = info[MESSAGE]
  if (typeof text !== 'string') return info
  const safe = terminalText(text)
  if (safe !== text) info[MESSAGE] = safe
  return info
}

function next(text: string, from: number): number {
  unsafe.lastIndex = from
  return unsafe.exec(text)?.index ?? -1
}

function escaped(character: string): string {
  if (character === '\n' || character === '\t') return character
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Tracks which styles are open, each by the code that resets it. */
function trackStyles(sequence: string, open: Set<number>): void {
  const codes = sequence.slice(2, -1).split(/[;:]/).map(Number)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!
    const end = resetCodeOf(code)
    if (code === 0) open.clear()
    else if (end === undefined) open.delete(code === 21 ? 22 : code)
    else open.add(end)
    // A color from the 256-color palette, or of red, green and blue, has parameters.
    if (code === 38 || code === 48 || code === 58)
      at += codes[at + 1] === 5 ? 2 : codes[at + 1] === 2 ? 4 : codes.length
  }
}

/** Returns the code that resets the style set by a code; undefined if the code sets none. */
function resetCodeOf(code: number): number | undefined {
  if (code === 1 || code === 2) return 22
  if (code >= 3 && code <= 9) return code === 6 ? 25 : code + 20
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49
  if (code >= 22 && code <= 29) return undefined
  return code === 39 || code === 49 ? undefined : code === 53 ? 55 : code === 58 ? 59 : undefined
}
