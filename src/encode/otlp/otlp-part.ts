import { cutValueMarker, type Cuttable } from '../json/cut-record.ts'
import { maxMarkerLength, cutWithMarker } from '../walk/markers.ts'

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
 * Creates a cuttable part for a value. A string keeps its beginning; any other value is replaced by a marker. A value that would not become
 * smaller is kept. Where a string is cut depends only on sizes, so formats that measure in the same way cut in the same way.
 *
 * @param sizeOf - returns the size, in bytes, of an AnyValue that is the string `text`
 */
export function cuttablePart(part: OtlpPart, sizeOf: (text: string) => number): Cuttable {
  const { bytes } = part
  return {
    bytes,
    cut(excess) {
      const cut = shortened(part, excess, sizeOf)
      const saved = bytes - sizeOf(cut)
      if (saved <= 0) return 0
      part.replace(cut)
      return saved
    },
  }
}

/** Returns the marker of a value that is not a string; otherwise the string cut by at least `excess` bytes, or by as many as possible. */
function shortened({ bytes, text }: OtlpPart, excess: number, sizeOf: (text: string) => number): string {
  if (text === undefined) return cutValueMarker(bytes)
  // The bytes per character are not uniform, so the string is shortened in proportion, then halved until it fits.
  const share = Math.max(0, 1 - (excess + maxMarkerLength) / bytes)
  for (let length = Math.floor(text.length * share); ; length >>= 1) {
    const cut = cutWithMarker(text, length)
    if (sizeOf(cut) <= bytes - excess || length === 0) return cut
  }
}
