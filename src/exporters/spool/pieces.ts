import { hasValidChecksum } from './checksum.ts'
import { longestLine } from './lines.ts'

/** A piece of a file. */
export interface Piece {
  /** `line`: what may be one of ours. `junk`: all that stands between two of these, of which `bytes` is the beginning. */
  readonly kind: 'line' | 'junk'
  /** Of a line: without its end. */
  readonly bytes: Uint8Array
  /** Where it ends in the file, in bytes, its line end included. */
  readonly end: number
}

/** How much junk is kept of one piece, in bytes. */
const keptBytes = 64 * 1024
/** `{"resourceLogs":[]}` */
const shortestLine = 19
const openingBrace = 0x7b
const lineEnd = 10

/** Cuts a file into lines, whatever it holds: it keeps no more than the longest line, and makes few pieces of many tiny ones. */
export class Pieces {
  /** The line that has not ended. */
  private held: Uint8Array[] = []
  private heldBytes = 0
  /** It is longer than any. */
  private isLong = false
  /** Is used again for the next junk. */
  private junk: Buffer | undefined
  private junkBytes = 0
  private hasJunk = false
  private at: number

  /** `from`: where in the file the first bytes stand. */
  constructor(from: number) {
    this.at = from
  }

  /** Takes the next bytes of the file, which it copies. Returns the pieces that end in them. */
  push(bytes: Uint8Array): Piece[] {
    const pieces: Piece[] = []
    let from = 0
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
      this.at += end + 1 - from
      if (this.heldBytes === 0 && !isPlausible(bytes[from]!, end - from)) {
        // Without a copy: a file may have a million of them.
        this.keepJunk(bytes, from, end + 1)
      } else {
        this.hold(bytes, from, end)
        if (!this.isLong && isPlausible(this.held[0]![0]!, this.heldBytes)) {
          if (this.hasJunk) pieces.push(this.takeJunk(this.at - this.heldBytes - 1))
          pieces.push({ kind: 'line', bytes: this.takeLine(), end: this.at })
        } else {
          this.dismiss()
          this.keepJunk(bytes, end, end + 1)
        }
      }
      from = end + 1
    }
    this.hold(bytes, from, bytes.length)
    this.at += bytes.length - from
    return pieces
  }

  /**
   * The file has no more. Returns what is after the last newline: a line whose newline was not written, if its checksum proves that
   * the rest of it was, and junk.
   */
  end(): Piece[] {
    const { at, heldBytes } = this
    const line = this.isLong || heldBytes === 0 ? undefined : this.takeLine()
    if (line !== undefined && isPlausible(line[0]!, line.length) && hasValidChecksum(line)) {
      const last: Piece = { kind: 'line', bytes: line, end: at }
      return this.hasJunk ? [this.takeJunk(at - heldBytes), last] : [last]
    }
    if (line !== undefined) this.keepJunk(line, 0, line.length)
    return this.hasJunk ? [this.takeJunk(at)] : []
  }

  private hold(bytes: Uint8Array, from: number, to: number): void {
    this.heldBytes += to - from
    if (from === to) return
    // A Buffer's own `slice` is no copy.
    if (!this.isLong) this.held.push(Uint8Array.prototype.slice.call(bytes, from, to))
    else this.keepJunk(bytes, from, to)
    if (this.isLong || this.heldBytes < longestLine) return
    this.isLong = true
    this.keepHeld()
  }

  private takeLine(): Uint8Array {
    const line = this.held.length === 1 ? this.held[0]! : Buffer.concat(this.held)
    this.held = []
    this.heldBytes = 0
    return line
  }

  /** What is held is no line. */
  private dismiss(): void {
    this.keepHeld()
    this.heldBytes = 0
    this.isLong = false
  }

  private keepHeld(): void {
    for (const each of this.held) this.keepJunk(each, 0, each.length)
    this.held = []
  }

  private keepJunk(bytes: Uint8Array, from: number, to: number): void {
    this.hasJunk = true
    if (this.junkBytes === keptBytes) return
    this.junk ??= Buffer.allocUnsafe(keptBytes)
    const kept = bytes.subarray(from, Math.min(to, from + keptBytes - this.junkBytes))
    this.junk.set(kept, this.junkBytes)
    this.junkBytes += kept.length
  }

  private takeJunk(end: number): Piece {
    const bytes = Buffer.from(this.junk!.subarray(0, this.junkBytes))
    this.junkBytes = 0
    this.hasJunk = false
    return { kind: 'junk', bytes, end }
  }
}

function isPlausible(first: number, length: number): boolean {
  return length >= shortestLine && first === openingBrace
}
