import { cutMarker, longestMarker, markerOf } from '../walk/markers.ts'
import { escape, utf8Length } from './quote.ts'

/**
 * A string of more UTF-16 units is not escaped by the log call. V8 and Node ask the system for each larger piece of memory,
 * and a character then costs twice as much as in a shorter string.
 */
export const longString: number = 1 << 17

/** Records of fewer bytes are escaped at once: where a string has to be cut, a piece would be too much of them. */
const leastRecord = 1 << 20

/** How many units are escaped at a time. */
const pieceLength = 1 << 16

/** A string that waits to be escaped. */
interface LongString {
  readonly value: string
}

/**
 * A line with strings that are too long to be escaped within its call; they are when it is written, piece by piece. Rules
 * have been applied: a string is redacted whole or not at all. Strings are immutable, so nothing can change meanwhile.
 */
export class LongLine {
  /** What it keeps in memory until then, in UTF-16 units. */
  readonly length: number
  private readonly parts: readonly (string | LongString)[]
  private readonly room: number
  private readonly level: number

  /** `room`: how many bytes the strings may have. `level`: how much of it is kept free for each, if it is as long. */
  constructor(parts: readonly (string | LongString)[], room: number = Infinity, level: number = Infinity) {
    this.parts = parts
    this.room = room
    this.level = level
    this.length = parts.reduce((sum, part) => sum + unitsOf(part), 0)
  }

  /** The line from its beginning, in pieces that are not empty. */
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

  /** The line in one piece. */
  text(): string {
    return [...this.pieces()].join('')
  }

  /** Escaped, a string has as many bytes as units at least. */
  private keptFor(part: string | LongString): number {
    return typeof part === 'string' ? 0 : Math.min(part.value.length, this.level)
  }
}

function unitsOf(part: string | LongString): number {
  return typeof part === 'string' ? part.length : part.value.length
}

/** Returns how many bytes its pieces had. */
function* piecesOf(value: string, maxBytes: number): Generator<string, number> {
  const end = value.length - markerOf(value)[0].length
  let used = 0
  for (let from = 0; from < value.length;) {
    const to = from < end ? pieceEnd(value, from, end) : value.length
    const piece = escape(value.slice(from, to))
    const bytes = utf8Length(piece)
    if (used + bytes > maxBytes) {
      // What is cut is a piece at least: the very place is not worth a search.
      yield cutMarker(value, from)
      return used
    }
    yield piece
    used += bytes
    from = to
  }
  return used
}

/** Two halves of one character stay together, and so does the marker of a string that was cut before. */
function pieceEnd(value: string, from: number, end: number): number {
  const to = Math.min(from + pieceLength, end)
  const last = value.charCodeAt(to - 1)
  return to < end && last >= 0xd800 && last <= 0xdbff ? to - 1 : to
}

/** How much each string may have for all of them to have `room`, the longest giving way first. */
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

/** The long strings of one record. In finished text a mark stands for each: a character that is always escaped there. */
export class LongStrings {
  private readonly values: string[] = []
  /** What is longer waits, in UTF-16 units. */
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

  /** Keeps a string for later. Returns its mark. */
  keep(value: string): string {
    this.values.push(value)
    return `\0${this.values.length - 1}\0`
  }

  /** The text with the strings in place of their marks, escaped. */
  expand(text: string): string {
    return text.replace(mark, (_, index: string) => escape(this.values[Number(index)]!))
  }

  /**
   * The line that waits to be written; undefined where too little room is left for the strings to be worth it, or where
   * they are more than a line may hold: what waits is kept whole.
   */
  line(text: string, maxBytes: number): LongLine | undefined {
    const parts = text.split(mark)
    const rest = parts.reduce((sum, part, index) => (index % 2 === 0 ? sum + utf8Length(part) : sum), 0)
    const waiting = parts.map((part, index) => (index % 2 === 0 ? part : { value: this.values[Number(part)]! }))
    const lengths = waiting.flatMap((part) => (typeof part === 'string' ? [] : [part.value.length]))
    const markers = lengths.length * longestMarker
    const room = maxBytes - rest - markers
    const level = waterLevel(lengths, room)
    const total = lengths.reduce((sum, length) => sum + length, 0)
    return level < this.usual || total > maxBytes + markers ? undefined : new LongLine(waiting, room, level)
  }
}

// oxlint-disable-next-line no-control-regex
const mark = /\0(\d+)\0/g
