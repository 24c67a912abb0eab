import type { RecordOrigin } from '../read/record.ts'

/** A set of lines of inputs, with one bit for each line. */
export class LineSet {
  readonly #files = new Map<string, Uint8Array>()

  /** Adds the line of a record with a known number. Returns whether it was in the set. */
  add({ file, line }: RecordOrigin): boolean {
    const index = Math.floor(line / 8)
    const bit = 1 << (line % 8)
    let bytes = this.#files.get(file)
    if (bytes === undefined || index >= bytes.length) {
      const longer = new Uint8Array(2 * Math.max(index, 512))
      if (bytes !== undefined) longer.set(bytes)
      this.#files.set(file, (bytes = longer))
    }
    const hasLine = (bytes[index]! & bit) !== 0
    bytes[index]! |= bit
    return hasLine
  }
}
