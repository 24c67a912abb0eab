/** A buffer takes about 200 bytes in addition to its content, so chunks with fewer bytes than this are copied together. */
const smallBytes = 2_048
const bufferBytes = 16_384

/** The bytes of a body, which need hardly more memory if they arrive in many small chunks. */
export class ChunkList {
  private readonly chunks: Buffer[] = []
  /** Where small chunks are copied to. */
  private buffer = Buffer.alloc(0)
  private used = 0

  add(chunk: Buffer): void {
    // Most bodies have one chunk.
    if (chunk.length >= smallBytes || this.isEmpty) {
      this.endBuffer()
      this.chunks.push(chunk)
      return
    }
    if (this.used + chunk.length > this.buffer.length) {
      this.endBuffer()
      this.buffer = Buffer.allocUnsafe(bufferBytes)
    }
    this.used += chunk.copy(this.buffer, this.used)
  }

  /** Returns all bytes. */
  join(): Buffer {
    this.endBuffer()
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
  }

  private get isEmpty(): boolean {
    return this.chunks.length === 0 && this.used === 0
  }

  private endBuffer(): void {
    if (this.used > 0) this.chunks.push(this.buffer.subarray(0, this.used))
    this.buffer = this.buffer.subarray(this.used)
    this.used = 0
  }
}
