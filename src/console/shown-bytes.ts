import buffer from 'node:buffer'
import { stripVTControlCharacters } from 'node:util'
import { maxSearchedChars, redactListedBytes } from '../encode/shown-bytes.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'

/** Redacts the byte listings of a printed text in which patterns match. The text loses its colors if anything is redacted. */
export function redactPrintedBytes(text: string, patterns: TextPatterns): string {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text
  const clean = redactListedBytes(plain, patterns)
  return clean === plain ? text : clean
}

/**
 * Calls a function that returns text, and redacts pattern matches in that text and in the bytes it lists. During the call, Node
 * lists more bytes of each Buffer, so that a secret that begins within the displayed bytes is searched completely.
 *
 * @returns the text, and whether anything was redacted
 */
export function redactedPrint(
  patterns: TextPatterns,
  show: () => string,
): { readonly text: string; readonly isFound: boolean } {
  const before = buffer.INSPECT_MAX_BYTES
  buffer.INSPECT_MAX_BYTES = before + Math.min(patterns.longest, maxSearchedChars)
  try {
    const text = show()
    const clean = patterns.redacted(redactListedBytes(text, patterns))
    return { text: patterns.redacted(redactListedBytes(text, patterns, before)), isFound: clean !== text }
  } finally {
    buffer.INSPECT_MAX_BYTES = before
  }
}
