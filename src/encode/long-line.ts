import { cutMarker, longestMarker } from './markers.ts'
import { escape, utf8Length } from './quote.ts'

/** A string of more UTF-16 units is not escaped by the log call: some 2 ms, and about as much memory again. */
export const longString: number = 1 << 20

/** How many units are escaped at a time. */
const pieceLength = 1 << 16

/** A string that waits to be escaped, and how many bytes its escaped form may have. */
interface LongString {
  readonly value: string
  readonly maxBytes: number
}

/**
 * A line with strings that are too long to be escaped within its call; they are when it is written, piece by piece. Rules
 * have been applied: a string is redacted whole or not at all. Strings are immutable, so nothing can change meanwhile.
 */
export class LongLine {
  /** What it keeps in memory until then, in UTF-16 units. */
  readonly length: number
  private readonly parts: readonly (string | LongString)[]

  constructor(parts: readonly (string | LongString)[]) {
    this.parts = parts
    this.length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part : part.value).length, 0)
  }

  /** The line from its beginning, in pieces that are not empty. */
  *pieces(): Generator<string, void> {
    for (const part of this.parts) {
      if (typeof part !== 'string') yield* piecesOf(part)
      else if (part !== '') yield part
    }
  }

  /** The line in one piece. */
  text(): string {
    return [...this.pieces()].join('')
  }
}

function* piecesOf({ value, maxBytes }: LongString): Generator<string, void> {
  let left = maxBytes
  for (let from = 0; from < value.length;) {
    const to = pieceEnd(value, from)
    const piece = escape(value.slice(from, to))
    left -= utf8Length(piece)
    // What is cut is a piece at least: the very place is not worth a search.
    yield left < 0 ? cutMarker(value, from) : piece
    from = left < 0 ? value.length : to
  }
}

/** Two halves of one character stay together. */
function pieceEnd(value: string, from: number): number {
  const to = Math.min(from + pieceLength, value.length)
  const last = value.charCodeAt(to - 1)
  return to < value.length && last >= 0xd800 && last <= 0xdbff ? to - 1 : to
}

/** The long strings of one record. In finished text a mark stands for each: a character that is always escaped there. */
export class LongStrings {
  private readonly values: string[] = []

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

  /** The line that waits to be written; undefined where too little room is left for the strings to be worth it. */
  line(text: string, maxBytes: number): LongLine | undefined {
    const parts = text.split(mark)
    const rest = parts.reduce((sum, part, index) => (index % 2 === 0 ? sum + utf8Length(part) : sum), 0)
    const share = Math.floor((maxBytes - rest) / ((parts.length - 1) / 2)) - longestMarker
    if (share < longString) return undefined
    return new LongLine(
      parts.map((part, index) => (index % 2 === 0 ? part : { value: this.values[Number(part)]!, maxBytes: share })),
    )
  }
}

// oxlint-disable-next-line no-control-regex
const mark = /\0(\d+)\0/g
