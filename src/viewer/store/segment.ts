/** The number of records of a segment. */
export const segmentRecords = 8_192
/** The bytes of the records of a segment, unless one record has more. */
export const segmentBytes = 1_048_576
/** The bytes of the columns of a segment: 8 + 4 + 4 + 4 + 4 + 1 + 1 for each record. */
const columnBytes = segmentRecords * 26

/**
 * Consecutive records of the store: their bytes, and what is filtered and counted most often in columns. The oldest segment is removed as a
 * whole.
 */
export class Segment {
  /** The sequence number of the first record. */
  first = 0
  count = 0
  readonly bytes: Buffer
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array = new Uint32Array(segmentRecords)
  /** Milliseconds since the Unix epoch. */
  readonly times: Float64Array = new Float64Array(segmentRecords)
  readonly severities: Uint8Array = new Uint8Array(segmentRecords)
  /** 1 for a record whose level has another name than that of its severity number. */
  readonly customLevels: Uint8Array = new Uint8Array(segmentRecords)
  /** The numbers of the sources. */
  readonly sources: Uint32Array = new Uint32Array(segmentRecords)
  /** The hashes of the trace IDs; 0 without a trace. */
  readonly traces: Uint32Array = new Uint32Array(segmentRecords)
  /** The numbers of the templates. */
  readonly templates: Uint32Array = new Uint32Array(segmentRecords)

  /** @param capacity - the maximum number of bytes of its records */
  constructor(capacity: number = segmentBytes) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** The memory of the segment, in bytes. */
  get byteLength(): number {
    return this.bytes.length + columnBytes
  }

  /** The number of bytes of its records. */
  get length(): number {
    return this.count === 0 ? 0 : this.ends[this.count - 1]!
  }

  /** Returns whether a record of some bytes can be added. */
  hasRoomFor(bytes: number): boolean {
    return this.count < segmentRecords && this.length + bytes <= this.bytes.length
  }

  startOf(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!
  }

  /** Returns the index of the record that contains a byte. */
  indexAt(position: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ends[middle]! > position) high = middle
      else low = middle + 1
    }
    return low
  }
}
