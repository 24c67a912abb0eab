import buffer from 'node:buffer'
import { stripVTControlCharacters } from 'node:util'
import { mostSearched, withoutShownBytes } from '../encode/shown-bytes.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'

/** Returns a printed text without the bytes in which patterns find something. It loses its colors where something is found. */
export function withoutPrintedBytes(text: string, patterns: TextPatterns): string {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text
  const clean = withoutShownBytes(plain, patterns)
  return clean === plain ? text : clean
}

/**
 * Returns what a function shows, without what patterns find in its text and in bytes that it shows. Meanwhile Node shows more of each
 * Buffer, so that a secret that begins in what is shown is there to its end.
 *
 * @returns the text, and whether anything was found
 */
export function redactedShow(
  patterns: TextPatterns,
  show: () => string,
): { readonly text: string; readonly isFound: boolean } {
  const before = buffer.INSPECT_MAX_BYTES
  buffer.INSPECT_MAX_BYTES = before + Math.min(patterns.longest, mostSearched)
  try {
    const text = show()
    const clean = patterns.redacted(withoutShownBytes(text, patterns))
    return { text: patterns.redacted(withoutShownBytes(text, patterns, before)), isFound: clean !== text }
  } finally {
    buffer.INSPECT_MAX_BYTES = before
  }
}
