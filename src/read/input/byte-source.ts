/** A sequence of bytes that is read on request. */
export interface ByteSource {
  /**
   * Reads at least one byte into `target` from `offset` on, and waits for that if necessary.
   *
   * @returns The number of bytes; 0 at the end, and after `close`.
   * @throws The system's error, or rejects with it.
   */
  read(target: Buffer, offset: number): number | Promise<number>
  /** Closes the source. A read that waits returns 0. */
  close(): void
  /** Starts again at the first byte, if that is possible. Returns whether it is. */
  rewind?(): boolean
}

/** A source that first returns bytes that were read from another source, and then the rest of that source. */
export class PrefixedSource implements ByteSource {
  private prefix: Buffer | undefined
  private readonly source: ByteSource

  constructor(prefix: Buffer, source: ByteSource) {
    this.prefix = prefix.length === 0 ? undefined : prefix
    this.source = source
  }

  read(target: Buffer, offset: number): number | Promise<number> {
    const { prefix } = this
    if (prefix === undefined) return this.source.read(target, offset)
    const count = prefix.copy(target, offset)
    this.prefix = count < prefix.length ? prefix.subarray(count) : undefined
    return count
  }

  close(): void {
    this.prefix = undefined
    this.source.close()
  }

  rewind(): boolean {
    if (this.source.rewind?.() !== true) return false
    this.prefix = undefined
    return true
  }
}
