import { cutText, type Cuttable } from '../json/cut-record.ts'
import { longestMarker, stringText } from '../walk/markers.ts'

/** A value of a finished OTLP record, in any form of the protocol. */
export interface OtlpPart {
  /** The bytes of the value. */
  readonly bytes: number
  /** Its text; undefined where it is not a string. */
  readonly text: string | undefined
  /** Puts a string in its place. */
  replace(text: string): void
}

/**
 * Makes a value cuttable. A string keeps its beginning; any other value is replaced by a marker. What is left depends on
 * sizes alone, so that forms which measure alike cut alike. `sizeOf`: the bytes of a value that is this string.
 */
export function cuttable(part: OtlpPart, sizeOf: (text: string) => number): Cuttable {
  const { bytes } = part
  return {
    bytes,
    cut(excess) {
      const cut = shorter(part, excess, sizeOf)
      const saved = bytes - sizeOf(cut)
      if (saved <= 0) return 0
      part.replace(cut)
      return saved
    },
  }
}

/** A string that takes `excess` bytes less than the value, or as many as can be. */
function shorter({ bytes, text }: OtlpPart, excess: number, sizeOf: (text: string) => number): string {
  if (text === undefined) return cutText(bytes)
  // What a character costs depends on its position: a string shorter by the same share is a guess, halved until it fits.
  const share = Math.max(0, 1 - (excess + longestMarker) / bytes)
  for (let length = Math.floor(text.length * share); ; length >>= 1) {
    const cut = stringText(text, length)
    if (sizeOf(cut) <= bytes - excess || length === 0) return cut
  }
}
