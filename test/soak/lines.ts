/** Cuts bytes into lines as they come. */
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
    // A copy: the caller may use its buffer again.
    if (from < bytes.length) this.rest.push(Buffer.from(bytes.subarray(from)))
  }

  /** No more will come: what has no end is a line as well. */
  end(): void {
    if (this.rest.length > 0) this.each(Buffer.concat(this.rest.splice(0)))
  }
}
