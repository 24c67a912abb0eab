import { cutMarker, maxMarkerLength, markerOf } from '../walk/markers.ts'
import { escape, utf8Length } from './quote.ts'

/**
 * The maximum length, in UTF-16 units, of a string that is escaped during the log call. For longer strings, V8 and Node allocate memory
 * from the system, which doubles the cost per character.
 */
export const maxImmediateLength: number = 1 << 17

/**
 * With a lower limit of a record's bytes, all strings are escaped during the log call, because cutting whole pieces would remove too much.
 */
const minRecordBytes = 1 << 20

/** How many UTF-16 units are escaped at a time. */
const pieceLength = 1 << 16

/** A string that is not escaped yet. */
interface LongString {
  readonly value: string
}

/**
 * A line with strings that are too long to be escaped during the log call. They are escaped piece by piece when the line is written. Rules
 * have already been applied to the whole strings, and strings are immutable, so the content cannot change in between.
 */
export class LongLine {
  /** The length of the text that the line keeps in memory, in UTF-16 units. */
  readonly length: number
  private readonly parts: readonly (string | LongString)[]
  private readonly maxStringBytes: number
  private readonly maxReservedBytes: number

  /**
   * @param maxStringBytes - the maximum number of bytes of all escaped strings together
   * @param maxReservedBytes - the maximum number of these bytes that are reserved for one string. A string with fewer UTF-16 units has
   *   one byte reserved for each.
   */
  constructor(
    parts: readonly (string | LongString)[],
    maxStringBytes: number = Infinity,
    maxReservedBytes: number = Infinity,
  ) {
    this.parts = parts
    this.maxStringBytes = maxStringBytes
    this.maxReservedBytes = maxReservedBytes
    this.length = parts.reduce((sum, part) => sum + unitsOf(part), 0)
  }

  /** Yields the line from its start, in pieces that are not empty. */
  *pieces(): Generator<string, void> {
    let remaining = this.maxStringBytes
    let reserved = this.parts.reduce((sum, part) => sum + this.reservedFor(part), 0)
    for (const part of this.parts) {
      if (typeof part === 'string') {
        if (part !== '') yield part
        continue
      }
      reserved -= this.reservedFor(part)
      const used = yield* piecesOf(part.value, remaining - reserved)
      remaining -= used
    }
  }

  /** Returns the line in one piece. */
  text(): string {
    return [...this.pieces()].join('')
  }

  /** Returns how many bytes are reserved for a part. An escaped string has at least as many bytes as UTF-16 units. */
  private reservedFor(part: string | LongString): number {
    return typeof part === 'string' ? 0 : Math.min(part.value.length, this.maxReservedBytes)
  }
}

function unitsOf(part: string | LongString): number {
  return typeof part === 'string' ? part.length : part.value.length
}

/** Yields the escaped pieces of a string, up to `maxBytes`, and a marker if there are more. Returns the bytes of the pieces. */
function* piecesOf(value: string, maxBytes: number): Generator<string, number> {
  const end = value.length - markerOf(value)[0].length
  let used = 0
  for (let from = 0; from < value.length;) {
    const to = from < end ? pieceEnd(value, from, end) : value.length
    const piece = escape(value.slice(from, to))
    const bytes = utf8Length(piece)
    if (used + bytes > maxBytes) {
      // Cut at the start of a piece; the exact position is not worth a search.
      yield cutMarker(value, from)
      return used
    }
    yield piece
    used += bytes
    from = to
  }
  return used
}

/** Returns the end of the piece at `from`. A surrogate pair is not split, and neither is the marker of a string that was cut before. */
function pieceEnd(value: string, from: number, end: number): number {
  const to = Math.min(from + pieceLength, end)
  const last = value.charCodeAt(to - 1)
  return to < end && last >= 0xd800 && last <= 0xdbff ? to - 1 : to
}

/**
 * Returns the greatest length to which strings of these lengths can be limited so that their sum is at most `total`; Infinity if they fit
 * unlimited. Only the longest strings are cut.
 */
function fairLength(lengths: readonly number[], total: number): number {
  let remaining = total
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of ascending.entries()) {
    const share = remaining / (ascending.length - index)
    if (length > share) return share
    remaining -= length
  }
  return Infinity
}

/**
 * The long strings of one record. The text of the record contains a placeholder for each, with U+0000, which is escaped in all other text.
 */
export class LongStrings {
  private readonly values: string[] = []
  /** The maximum length, in UTF-16 units, of a string that is escaped during the log call. */
  readonly maxImmediateLength: number

  constructor(recordBytes: number) {
    this.maxImmediateLength = recordBytes < minRecordBytes ? Infinity : maxImmediateLength
  }

  get isEmpty(): boolean {
    return this.values.length === 0
  }

  clear(): void {
    this.values.length = 0
  }

  /** Keeps a string for later. Returns its placeholder. */
  add(value: string): string {
    this.values.push(value)
    return `\0${this.values.length - 1}\0`
  }

  /** Returns the text with the placeholders replaced by the escaped strings. */
  expand(text: string): string {
    return text.replace(placeholder, (_, index: string) => escape(this.values[Number(index)]!))
  }

  /**
   * Returns the line with its unescaped strings. Returns undefined if strings would have to be cut to less than `maxImmediateLength`,
   * or if the strings together are longer than `maxBytes` plus the size of their markers, because a queued line keeps them whole.
   */
  line(text: string, maxBytes: number): LongLine | undefined {
    const parts = text.split(placeholder)
    const otherBytes = parts.reduce((sum, part, index) => (index % 2 === 0 ? sum + utf8Length(part) : sum), 0)
    const lineParts = parts.map((part, index) => (index % 2 === 0 ? part : { value: this.values[Number(part)]! }))
    const lengths = lineParts.flatMap((part) => (typeof part === 'string' ? [] : [part.value.length]))
    const markerBytes = lengths.length * maxMarkerLength
    const maxStringBytes = maxBytes - otherBytes - markerBytes
    const maxReservedBytes = fairLength(lengths, maxStringBytes)
    const total = lengths.reduce((sum, length) => sum + length, 0)
    return maxReservedBytes < this.maxImmediateLength || total > maxBytes + markerBytes
      ? undefined
      : new LongLine(lineParts, maxStringBytes, maxReservedBytes)
  }
}

// oxlint-disable-next-line no-control-regex
const placeholder = /\0(\d+)\0/g
