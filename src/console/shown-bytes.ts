import buffer from 'node:buffer'
import { stripVTControlCharacters } from 'node:util'
import { redacted } from '../rules/redact-censor.ts'
import type { TextPatterns } from '../rules/patterns/text-patterns.ts'

/** How many bytes of a Buffer are searched behind those that Node shows. */
const mostSearched = 65_536

/**
 * Returns a text without the bytes and lists of numbers in which patterns find something. Node shows a Buffer and an ArrayBuffer as
 * hexadecimal digits (`43 4e`), and a list and every other typed array as numbers (`67, 78`); JSON has numbers for all of them.
 */
export function withoutShownBytes(text: string, patterns: TextPatterns): string {
  if (!mayShowBytes.test(text)) return text
  return text
    .replace(hexDigits, (shown, digits: string, cut: string | undefined) => {
      const isUndecided = cut !== undefined && patterns.longest > mostSearched
      return isUndecided || patterns.findIn(Buffer.from(digits.replaceAll(' ', ''), 'hex')) ? redacted : shown
    })
    .replace(numbers, (list) => (listHolds(list, patterns) ? redacted : list))
}

/** The same of a text that may have colors: it loses them where something is found. */
export function withoutPrintedBytes(text: string, patterns: TextPatterns): string {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text
  const clean = withoutShownBytes(plain, patterns)
  return clean === plain ? text : clean
}

/** Runs a function in which Node shows more of each Buffer, so that a secret that begins in what is shown is there to its end. */
export function withWholeBuffers<T>(patterns: TextPatterns, show: () => T): T {
  const before = buffer.INSPECT_MAX_BYTES
  buffer.INSPECT_MAX_BYTES = before + Math.min(patterns.longest, mostSearched)
  try {
    return show()
  } finally {
    buffer.INSPECT_MAX_BYTES = before
  }
}

/** A number over 255 ends a list of bytes. */
function listHolds(list: string, patterns: TextPatterns): boolean {
  let bytes: number[] = []
  for (const number of list.split(',')) {
    const byte = Number(number)
    if (byte <= 255) bytes.push(byte)
    else if (patterns.findIn(Uint8Array.from(bytes))) return true
    else bytes = []
  }
  return patterns.findIn(Uint8Array.from(bytes))
}

const mayShowBytes = /[0-9a-f]{2} [0-9a-f]{2}|\d,\s*\d/
const hexDigits = /(?<![0-9a-z])([0-9a-f]{2}(?: [0-9a-f]{2})+)(?![0-9a-z])( \.\.\. \d+ more bytes?)?/g
const numbers = /(?<![\w.])\d{1,3}(?:,\s*\d{1,3})+(?![\w.])/g
