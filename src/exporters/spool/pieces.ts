import { hasValidChecksum } from './checksum.ts'
import { maxLineBytes } from './lines.ts'

/** A piece of a file. */
export interface FilePiece {
  /** `line`: may be a line of a spool. `junk`: everything up to the next such line or the end of the file. */
  readonly kind: 'line' | 'junk'
  /** The content: of a line, without its newline; of junk, only the beginning. */
  readonly bytes: Uint8Array
  /** Where the piece ends in the file, in bytes, including its newline. */
  readonly end: number
}

/** How many bytes of a junk piece are kept. */
const maxJunkBytes = 64 * 1024
/** The length of the shortest line: `{"resourceLogs":[]}`. */
const minLineBytes = 19
const openingBrace = 0x7b
const newline = 10

/**
 * Splits a file with arbitrary content into lines and junk. It keeps no more than the longest line and the beginning of one junk
 * piece in memory. Consecutive lines that cannot be lines of a spool are one piece.
 */
export class FilePieces {
  /** The parts of the line that has not ended yet. */
  private partialLine: Uint8Array[] = []
  private partialBytes = 0
  /** Whether that line is longer than the maximum. Its bytes are then added to the junk. */
  private isTooLong = false
  /** The buffer for junk, which is reused. */
  private junk: Buffer | undefined
  private junkBytes = 0
  private hasJunk = false
  /** The position in the file after the bytes that were processed. */
  private position: number

  /** @param from - The position of the first bytes in the file. */
  constructor(from: number) {
    this.position = from
  }

  /** Processes the next bytes of the file, which are copied. Returns the pieces that end in them. */
  push(bytes: Uint8Array): FilePiece[] {
    const pieces: FilePiece[] = []
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      this.position += end + 1 - from
      if (this.partialBytes === 0 && !isPlausibleLine(bytes[from]!, end - from)) {
        // Do not copy the line first, because a file may have a million such lines.
        this.addJunk(bytes, from, end + 1)
      } else {
        this.append(bytes, from, end)
        if (!this.isTooLong && isPlausibleLine(this.partialLine[0]![0]!, this.partialBytes)) {
          if (this.hasJunk) pieces.push(this.takeJunk(this.position - this.partialBytes - 1))
          pieces.push({ kind: 'line', bytes: this.takeLine(), end: this.position })
        } else {
          this.discardLine()
          this.addJunk(bytes, end, end + 1)
        }
      }
      from = end + 1
    }
    this.append(bytes, from, bytes.length)
    this.position += bytes.length - from
    return pieces
  }

  /**
   * Ends the file. Returns the remaining pieces: junk, and a last line without a newline if its checksum proves that it is
   * otherwise complete.
   */
  end(): FilePiece[] {
    const { position, partialBytes } = this
    const line = this.isTooLong || partialBytes === 0 ? undefined : this.takeLine()
    if (line !== undefined && isPlausibleLine(line[0]!, line.length) && hasValidChecksum(line)) {
      const last: FilePiece = { kind: 'line', bytes: line, end: position }
      return this.hasJunk ? [this.takeJunk(position - partialBytes), last] : [last]
    }
    if (line !== undefined) this.addJunk(line, 0, line.length)
    return this.hasJunk ? [this.takeJunk(position)] : []
  }

  /** Adds bytes to the partial line, or to the junk if that line is too long. */
  private append(bytes: Uint8Array, from: number, to: number): void {
    this.partialBytes += to - from
    if (from === to) return
    // `Buffer.prototype.slice` would not copy.
    if (!this.isTooLong) this.partialLine.push(Uint8Array.prototype.slice.call(bytes, from, to))
    else this.addJunk(bytes, from, to)
    if (this.isTooLong || this.partialBytes < maxLineBytes) return
    this.isTooLong = true
    this.moveToJunk()
  }

  /** Returns the partial line as a whole and starts the next line. */
  private takeLine(): Uint8Array {
    const line = this.partialLine.length === 1 ? this.partialLine[0]! : Buffer.concat(this.partialLine)
    this.partialLine = []
    this.partialBytes = 0
    return line
  }

  /** Adds the partial line to the junk and starts the next line. */
  private discardLine(): void {
    this.moveToJunk()
    this.partialBytes = 0
    this.isTooLong = false
  }

  private moveToJunk(): void {
    for (const part of this.partialLine) this.addJunk(part, 0, part.length)
    this.partialLine = []
  }

  /** Adds bytes to the junk. Only the first `maxJunkBytes` are kept. */
  private addJunk(bytes: Uint8Array, from: number, to: number): void {
    this.hasJunk = true
    if (this.junkBytes === maxJunkBytes) return
    this.junk ??= Buffer.allocUnsafe(maxJunkBytes)
    const kept = bytes.subarray(from, Math.min(to, from + maxJunkBytes - this.junkBytes))
    this.junk.set(kept, this.junkBytes)
    this.junkBytes += kept.length
  }

  /** Returns the junk as a piece. */
  private takeJunk(end: number): FilePiece {
    const bytes = Buffer.from(this.junk!.subarray(0, this.junkBytes))
    this.junkBytes = 0
    this.hasJunk = false
    return { kind: 'junk', bytes, end }
  }
}

/** Returns whether bytes may be a line of a spool. */
function isPlausibleLine(firstByte: number, length: number): boolean {
  return length >= minLineBytes && firstByte === openingBrace
}
