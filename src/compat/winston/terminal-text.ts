import { MESSAGE, type TransformableInfo } from './info.ts'

const printableAscii = /^[ -~]*$/

/** A sequence that sets colors and styles (ECMA-48, SGR); or one character that a terminal may obey, or that reorders text. */
// oxlint-disable-next-line no-control-regex
const style = /\u001b\[[\d;:]*m/y
const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Returns finished text that a terminal can show without obeying it. Line breaks, tabs, colors and styles stay, since formats write
 * them; styles that are still open at the end are reset, so that they cannot reach the next record. All other control characters,
 * C1 and DEL included, and marks that reorder text become escapes such as `\u009b`, which JSON reads as the same characters.
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
    safe += sequence ?? shown(text[found]!)
    from = found + (sequence?.length ?? 1)
    if (sequence !== undefined) follow(sequence, open)
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

function shown(character: string): string {
  if (character === '\n' || character === '\t') return character
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Keeps which styles are open, each by the code that ends it. */
function follow(sequence: string, open: Set<number>): void {
  const codes = sequence.slice(2, -1).split(/[;:]/).map(Number)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!
    const end = endOf(code)
    if (code === 0) open.clear()
    else if (end === undefined) open.delete(code === 21 ? 22 : code)
    else open.add(end)
    // A color of 256, or of red, green and blue, has parameters.
    if (code === 38 || code === 48 || code === 58)
      at += codes[at + 1] === 5 ? 2 : codes[at + 1] === 2 ? 4 : codes.length
  }
}

/** The code that ends what a code begins; undefined for one that begins nothing. */
function endOf(code: number): number | undefined {
  if (code === 1 || code === 2) return 22
  if (code >= 3 && code <= 9) return code === 6 ? 25 : code + 20
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49
  if (code >= 22 && code <= 29) return undefined
  return code === 39 || code === 49 ? undefined : code === 53 ? 55 : code === 58 ? 59 : undefined
}
