import buffer from 'node:buffer'
import { stripVTControlCharacters } from 'node:util'
import { maxLookaheadBytes, redactListedBytes } from '../encode/redact-listed-bytes.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'

/**
 * Redacts the bytes in a printed text, such as `<Buffer 43 4e>`, in which patterns match. The text loses its colors if anything is
 * redacted.
 */
export function redactPrintedBytes(text: string, patterns: TextPatterns): string {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text
  const clean = redactListedBytes(plain, patterns)
  return clean === plain ? text : clean
}

/**
 * Calls a function that returns text, and redacts pattern matches in that text and in the bytes that it lists. During the call, Node
 * lists more bytes of each Buffer than it displays, so that a secret that begins within the displayed bytes is searched completely.
 * The additional bytes are not in the result.
 *
 * @returns the text, and whether anything was redacted
 */
export function printRedacted(
  patterns: TextPatterns,
  print: () => string,
): { readonly text: string; readonly isRedacted: boolean } {
  const maxBytes = buffer.INSPECT_MAX_BYTES
  buffer.INSPECT_MAX_BYTES = maxBytes + Math.min(patterns.lookaheadLength, maxLookaheadBytes)
  try {
    const text = print()
    const clean = patterns.redact(redactListedBytes(text, patterns))
    return { text: patterns.redact(redactListedBytes(text, patterns, maxBytes)), isRedacted: clean !== text }
  } finally {
    buffer.INSPECT_MAX_BYTES = maxBytes
  }
}
