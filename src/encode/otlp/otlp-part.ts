import { cutText, type Cuttable } from '../json/cut-record.ts'
import { longestMarker, stringText } from '../walk/markers.ts'

/** A value of a finished OTLP record, in JSON or protobuf. */
export interface OtlpPart {
  /** The size of the value in bytes. */
  readonly bytes: number
  /** The text of the value; undefined if it is not a string. */
  readonly text: string | undefined
  /** Replaces the value by a string. */
  replace(text: string): void
}

/**
 * Creates a cuttable part for a value. A string keeps its beginning; any other value is replaced by a marker. The result depends only on
 * sizes, so formats that measure in the same way cut in the same way.
 *
 * @param sizeOf - returns the bytes of a value that is the given string
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

/** Returns a string that has `excess` bytes fewer than the value, or as few as possible. */
function shorter({ bytes, text }: OtlpPart, excess: number, sizeOf: (text: string) => number): string {
  if (text === undefined) return cutText(bytes)
  // The bytes per character are not uniform, so the string is shortened in proportion, then halved until it fits.
  const share = Math.max(0, 1 - (excess + longestMarker) / bytes)
  for (let length = Math.floor(text.length * share); ; length >>= 1) {
    const cut = stringText(text, length)
    if (sizeOf(cut) <= bytes - excess || length === 0) return cut
  }
}
