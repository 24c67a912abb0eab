/** Splits a stream of bytes into lines. */
export class Lines {
  private rest: Buffer[] = []
  private readonly each: (line: Buffer) => void

  constructor(each: (line: Buffer) => void) {
    this.each = each
  }

  feed(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const last = bytes.subarray(from, end)
      this.each(this.rest.length === 0 ? last : Buffer.concat([...this.rest.splice(0), last]))
      from = end + 1
    }
    // Copy, because the caller may reuse its buffer.
    if (from < bytes.length) this.rest.push(Buffer.from(bytes.subarray(from)))
  }

  /** Ends the stream. An incomplete line also counts as a line. */
  end(): void {
    if (this.rest.length > 0) this.each(Buffer.concat(this.rest.splice(0)))
  }
}
