import { hasValidChecksum } from './checksum.ts'
import { longestLine } from './lines.ts'

/** A piece of a file. */
export interface FilePiece {
  /** `line`: possibly a line of a spool. `junk`: everything between two lines, of which `bytes` is the beginning. */
  readonly kind: 'line' | 'junk'
  /** The content. For a line, it excludes the line end. */
  readonly bytes: Uint8Array
  /** Where the piece ends in the file, in bytes, including its line end. */
  readonly end: number
}

/** How many bytes of a junk piece are kept. */
const maxJunkBytes = 64 * 1024
/** The length of the shortest line, `{"resourceLogs":[]}`. */
const minLineBytes = 19
const openingBrace = 0x7b
const lineEnd = 10

/**
 * Splits a file with arbitrary content into lines. It keeps no more than the longest line in memory, and combines many tiny
 * lines into few pieces.
 */
export class FilePieces {
  /** The line that has not ended yet. */
  private partialLine: Uint8Array[] = []
  private partialBytes = 0
  /** Whether that line is longer than the maximum. */
  private isLong = false
  /** The buffer for junk, which is reused. */
  private junk: Buffer | undefined
  private junkBytes = 0
  private hasJunk = false
  private position: number

  /** @param from - The position of the first bytes in the file. */
  constructor(from: number) {
    this.position = from
  }

  /** Processes the next bytes of the file, which are copied. Returns the pieces that end in them. */
  push(bytes: Uint8Array): FilePiece[] {
    const pieces: FilePiece[] = []
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
      this.position += end + 1 - from
      if (this.partialBytes === 0 && !isPlausible(bytes[from]!, end - from)) {
        // Do not copy, because a file may have a million such lines.
        this.keepJunk(bytes, from, end + 1)
      } else {
        this.append(bytes, from, end)
        if (!this.isLong && isPlausible(this.partialLine[0]![0]!, this.partialBytes)) {
          if (this.hasJunk) pieces.push(this.takeJunk(this.position - this.partialBytes - 1))
          pieces.push({ kind: 'line', bytes: this.takeLine(), end: this.position })
        } else {
          this.discardLine()
          this.keepJunk(bytes, end, end + 1)
        }
      }
      from = end + 1
    }
    this.append(bytes, from, bytes.length)
    this.position += bytes.length - from
    return pieces
  }

  /**
   * Ends the file. Returns the pieces after the last newline: junk, and a line without a newline if its checksum proves that it
   * is otherwise complete.
   */
  end(): FilePiece[] {
    const { position, partialBytes } = this
    const line = this.isLong || partialBytes === 0 ? undefined : this.takeLine()
    if (line !== undefined && isPlausible(line[0]!, line.length) && hasValidChecksum(line)) {
      const last: FilePiece = { kind: 'line', bytes: line, end: position }
      return this.hasJunk ? [this.takeJunk(position - partialBytes), last] : [last]
    }
    if (line !== undefined) this.keepJunk(line, 0, line.length)
    return this.hasJunk ? [this.takeJunk(position)] : []
  }

  private append(bytes: Uint8Array, from: number, to: number): void {
    this.partialBytes += to - from
    if (from === to) return
    // A Buffer's own `slice` does not copy.
    if (!this.isLong) this.partialLine.push(Uint8Array.prototype.slice.call(bytes, from, to))
    else this.keepJunk(bytes, from, to)
    if (this.isLong || this.partialBytes < longestLine) return
    this.isLong = true
    this.moveToJunk()
  }

  private takeLine(): Uint8Array {
    const line = this.partialLine.length === 1 ? this.partialLine[0]! : Buffer.concat(this.partialLine)
    this.partialLine = []
    this.partialBytes = 0
    return line
  }

  /** Treats the partial line as junk. */
  private discardLine(): void {
    this.moveToJunk()
    this.partialBytes = 0
    this.isLong = false
  }

  private moveToJunk(): void {
    for (const each of this.partialLine) this.keepJunk(each, 0, each.length)
    this.partialLine = []
  }

  private keepJunk(bytes: Uint8Array, from: number, to: number): void {
    this.hasJunk = true
    if (this.junkBytes === maxJunkBytes) return
    this.junk ??= Buffer.allocUnsafe(maxJunkBytes)
    const kept = bytes.subarray(from, Math.min(to, from + maxJunkBytes - this.junkBytes))
    this.junk.set(kept, this.junkBytes)
    this.junkBytes += kept.length
  }

  private takeJunk(end: number): FilePiece {
    const bytes = Buffer.from(this.junk!.subarray(0, this.junkBytes))
    this.junkBytes = 0
    this.hasJunk = false
    return { kind: 'junk', bytes, end }
  }
}

function isPlausible(first: number, length: number): boolean {
  return length >= minLineBytes && first === openingBrace
}
