import { cutMarker, longestMarker, markerOf } from '../walk/markers.ts'
import { escape, utf8Length } from './quote.ts'

/**
 * The length in UTF-16 units above which a string is not escaped during the log call. V8 and Node allocate larger pieces of memory from
 * the system, which doubles the cost per character.
 */
export const longString: number = 1 << 17

/** With a smaller limit of a record's bytes, all strings are escaped at once, because cutting whole pieces would remove too much. */
const leastRecord = 1 << 20

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
  /** The text that the line keeps in memory, in UTF-16 units. */
  readonly length: number
  private readonly parts: readonly (string | LongString)[]
  private readonly room: number
  private readonly level: number

  /**
   * @param room - the maximum number of bytes of all strings together
   * @param level - how much of `room` is reserved for each string, at most its length
   */
  constructor(parts: readonly (string | LongString)[], room: number = Infinity, level: number = Infinity) {
    this.parts = parts
    this.room = room
    this.level = level
    this.length = parts.reduce((sum, part) => sum + unitsOf(part), 0)
  }

  /** Yields the line from its start, in pieces that are not empty. */
  *pieces(): Generator<string, void> {
    let left = this.room
    let kept = this.parts.reduce((sum, part) => sum + this.keptFor(part), 0)
    for (const part of this.parts) {
      if (typeof part === 'string') {
        if (part !== '') yield part
        continue
      }
      kept -= this.keptFor(part)
      const used = yield* piecesOf(part.value, left - kept)
      left -= used
    }
  }

  /** Returns the line in one piece. */
  text(): string {
    return [...this.pieces()].join('')
  }

  /** Returns how much room is reserved for a part. An escaped string has at least as many bytes as UTF-16 units. */
  private keptFor(part: string | LongString): number {
    return typeof part === 'string' ? 0 : Math.min(part.value.length, this.level)
  }
}

function unitsOf(part: string | LongString): number {
  return typeof part === 'string' ? part.length : part.value.length
}

/** Yields the escaped pieces of a string, up to `maxBytes`. Returns how many bytes they had. */
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

/** Returns the maximum length of each string so that all of them fit into `room`. The longest strings are cut first. */
function waterLevel(lengths: readonly number[], room: number): number {
  let left = room
  const rising = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of rising.entries()) {
    const share = left / (rising.length - index)
    if (length > share) return share
    left -= length
  }
  return Infinity
}

/** The long strings of one record. Finished text contains a placeholder for each, with a character that is always escaped elsewhere. */
export class LongStrings {
  private readonly values: string[] = []
  /** The length in UTF-16 units above which a string is escaped later. */
  readonly usual: number

  constructor(recordBytes: number) {
    this.usual = recordBytes < leastRecord ? Infinity : longString
  }

  get isEmpty(): boolean {
    return this.values.length === 0
  }

  clear(): void {
    this.values.length = 0
  }

  /** Keeps a string for later. Returns its placeholder. */
  keep(value: string): string {
    this.values.push(value)
    return `\0${this.values.length - 1}\0`
  }

  /** Returns the text with the placeholders replaced by the escaped strings. */
  expand(text: string): string {
    return text.replace(mark, (_, index: string) => escape(this.values[Number(index)]!))
  }

  /**
   * Returns the line with its unescaped strings; undefined if so little room is left that the strings must be cut short, or if together
   * they exceed `maxBytes`, because a queued line keeps them whole.
   */
  line(text: string, maxBytes: number): LongLine | undefined {
    const parts = text.split(mark)
    const rest = parts.reduce((sum, part, index) => (index % 2 === 0 ? sum + utf8Length(part) : sum), 0)
    const lineParts = parts.map((part, index) => (index % 2 === 0 ? part : { value: this.values[Number(part)]! }))
    const lengths = lineParts.flatMap((part) => (typeof part === 'string' ? [] : [part.value.length]))
    const markers = lengths.length * longestMarker
    const room = maxBytes - rest - markers
    const level = waterLevel(lengths, room)
    const total = lengths.reduce((sum, length) => sum + length, 0)
    return level < this.usual || total > maxBytes + markers ? undefined : new LongLine(lineParts, room, level)
  }
}

// oxlint-disable-next-line no-control-regex
const mark = /\0(\d+)\0/g
