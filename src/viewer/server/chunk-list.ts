/** A buffer takes about 200 bytes in addition to its content, so chunks with fewer bytes than this are copied together. */
const smallBytes = 2_048
const roomBytes = 16_384

/** The bytes of a body, which need hardly more memory if they arrive in many small chunks. */
export class ChunkList {
  private readonly chunks: Buffer[] = []
  /** Where small chunks are copied to. */
  private room = Buffer.alloc(0)
  private used = 0

  add(chunk: Buffer): void {
    // Most bodies have one chunk.
    if (chunk.length >= smallBytes || this.isEmpty) {
      this.endRoom()
      this.chunks.push(chunk)
      return
    }
    if (this.used + chunk.length > this.room.length) {
      this.endRoom()
      this.room = Buffer.allocUnsafe(roomBytes)
    }
    this.used += chunk.copy(this.room, this.used)
  }

  /** Returns all bytes. */
  join(): Buffer {
    this.endRoom()
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
  }

  private get isEmpty(): boolean {
    return this.chunks.length === 0 && this.used === 0
  }

  private endRoom(): void {
    if (this.used > 0) this.chunks.push(this.room.subarray(0, this.used))
    this.room = this.room.subarray(this.used)
    this.used = 0
  }
}
