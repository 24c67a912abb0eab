import { longestLine } from './spool-lines.ts'

/** A piece of a file, up to a line end or the end of the file. */
export interface Piece {
  /** `long`: more than any line has, of which `bytes` is only the beginning. `torn`: the file ends inside of it. */
  readonly kind: 'line' | 'long' | 'torn'
  /** Without the line end. */
  readonly bytes: Uint8Array
  /** Where it ends in the file, in bytes, its line end included. */
  readonly end: number
}

/** How much of something that is no line is kept, in bytes. */
const keptBytes = 64 * 1024

/** Cuts a file into lines, whatever it holds: it never keeps more than the longest line. */
export class Pieces {
  private held: Uint8Array[] = []
  private heldBytes = 0
  private isLong = false
  private at: number

  /** `from`: where in the file the first bytes stand. */
  constructor(from: number) {
    this.at = from
  }

  /** Takes the next bytes of the file, which it copies. Returns the pieces that end in them. */
  push(bytes: Uint8Array): Piece[] {
    const pieces: Piece[] = []
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.hold(bytes.subarray(from, end))
      this.at += end + 1 - from
      pieces.push(this.take(this.isLong ? 'long' : 'line'))
      from = end + 1
    }
    this.hold(bytes.subarray(from))
    this.at += bytes.length - from
    return pieces
  }

  /** The file has no more. Returns what stands behind the last line end. */
  end(): Piece | undefined {
    return this.heldBytes === 0 ? undefined : this.take('torn')
  }

  private hold(bytes: Uint8Array): void {
    this.heldBytes += bytes.length
    if (this.isLong || bytes.length === 0) return
    this.held.push(bytes.slice())
    if (this.heldBytes < longestLine) return
    this.isLong = true
    this.held = [Buffer.concat(this.held).subarray(0, keptBytes)]
  }

  private take(kind: Piece['kind']): Piece {
    const bytes = this.held.length === 1 ? this.held[0]! : Buffer.concat(this.held)
    this.held = []
    this.heldBytes = 0
    this.isLong = false
    return { kind, bytes: kind === 'line' ? bytes : bytes.subarray(0, keptBytes), end: this.at }
  }
}
