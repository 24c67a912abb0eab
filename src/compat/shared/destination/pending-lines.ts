/** A buffer of lines that are written together. */
export class PendingLines {
  /** Number of buffered characters; of lines that are bytes, the number of bytes. */
  length = 0
  private lines: (string | Uint8Array)[] = []
  private highestSeverity = 0

  add(line: string | Uint8Array, severity: number): void {
    this.lines.push(line)
    this.length += line.length
    this.highestSeverity = Math.max(this.highestSeverity, severity)
  }

  /** Removes all lines and returns them as one, with the highest severity among them; undefined if the buffer is empty. */
  takeAll(): { readonly data: string | Uint8Array; readonly severity: number } | undefined {
    const { lines, highestSeverity: severity } = this
    if (lines.length === 0) return undefined
    this.lines = []
    this.length = 0
    this.highestSeverity = 0
    const isText = lines.every((line) => typeof line === 'string')
    return { data: isText ? lines.join('') : Buffer.concat(lines.map(toBytes)), severity }
  }
}

function toBytes(line: string | Uint8Array): Uint8Array {
  return typeof line === 'string' ? Buffer.from(line) : line
}
