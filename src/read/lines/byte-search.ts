/** Searches a text in a buffer from its start to its end. Each byte is searched once, however many lines are tested. */
export class ByteSearch {
  private readonly needle: Buffer
  /** The position of the first hit after the last line that was tested; Infinity without one. */
  private next = -1

  constructor(text: string) {
    this.needle = Buffer.from(text)
  }

  /** Begins to search a buffer. */
  begin(): void {
    this.next = -1
  }

  /** Returns whether the text begins between two positions. They must not be before those of an earlier call for the same buffer. */
  isIn(bytes: Buffer, start: number, end: number): boolean {
    if (this.next < start) {
      const index = bytes.indexOf(this.needle, start)
      this.next = index < 0 ? Infinity : index
    }
    return this.next < end
  }
}
