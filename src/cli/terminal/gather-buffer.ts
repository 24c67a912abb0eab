import { truncate } from '../../encode/json/quote.ts'

/** The minimum number of bytes of a piece. A pipe of Linux holds 64 KiB. */
const pieceBytes = 65_536
/** UTF-16 units of text that are encoded at once. Short texts are concatenated first, because each call to encode costs about 100 ns. */
const textUnits = 16_384
/** The bytes of one UTF-16 unit in UTF-8, at most. */
const maxBytesPerUnit = 3

/** Gathers text and bytes up to 64 KiB, so that few system calls are needed and a long text needs no second copy. */
export class GatherBuffer {
  private readonly buffer = Buffer.allocUnsafeSlow(pieceBytes + textUnits * maxBytesPerUnit)
  private used = 0
  private text = ''
  private readonly writePiece: (bytes: Uint8Array, length: number) => void

  /** @param writePiece - writes the first `length` bytes. The bytes are valid only during the call */
  constructor(writePiece: (bytes: Uint8Array, length: number) => void) {
    this.writePiece = writePiece
  }

  get isEmpty(): boolean {
    return this.used === 0 && this.text === ''
  }

  /** Adds text, and writes the gathered text once it is long enough for a piece. */
  add(text: string): void {
    if (this.text.length + text.length <= textUnits) this.text += text
    else this.addLong(text)
  }

  /** Adds bytes, and writes the gathered bytes once they are enough for a piece. */
  addBytes(bytes: Uint8Array): void {
    this.encodeText()
    if (bytes.length > pieceBytes) {
      this.writeGathered()
      this.writePiece(bytes, bytes.length)
      return
    }
    if (this.used + bytes.length > this.buffer.length) this.writeGathered()
    this.buffer.set(bytes, this.used)
    this.used += bytes.length
    if (this.used >= pieceBytes) this.writeGathered()
  }

  /** Writes all that is gathered. */
  flush(): void {
    this.encodeText()
    this.writeGathered()
  }

  private addLong(text: string): void {
    this.encodeText()
    let rest = 0
    while (text.length - rest > textUnits) {
      // A surrogate pair stays in one piece.
      const piece = truncate(text.slice(rest, rest + textUnits), textUnits)
      this.text = piece === '' ? text.slice(rest, rest + 1) : piece
      rest += this.text.length
      this.encodeText()
    }
    this.text = text.slice(rest)
  }

  private encodeText(): void {
    if (this.text === '') return
    this.used += this.buffer.write(this.text, this.used)
    this.text = ''
    if (this.used >= pieceBytes) this.writeGathered()
  }

  private writeGathered(): void {
    const { used } = this
    this.used = 0
    if (used > 0) this.writePiece(this.buffer, used)
  }
}
