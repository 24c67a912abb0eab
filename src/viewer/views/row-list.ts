/** Rows to insert, sorted by time and then by sequence number. */
export interface Rows {
  readonly sequences: Float64Array
  readonly times: Float64Array
  readonly severities: Uint8Array
  readonly length: number
}

/** The rows of a view, sorted by time and then by sequence number. Rows are inserted fastest near both ends. */
export class RowList implements Rows {
  private allSequences: Float64Array = new Float64Array(initialCapacity)
  private allTimes: Float64Array = new Float64Array(initialCapacity)
  private allSeverities: Uint8Array = new Uint8Array(initialCapacity)
  private start = initialCapacity >> 1
  private count = 0
  private changes = 0

  /** Changes when rows are inserted before others, or removed, so that others have another index. */
  get epoch(): number {
    return this.changes
  }
  get length(): number {
    return this.count
  }
  get sequences(): Float64Array {
    return this.allSequences.subarray(this.start, this.start + this.count)
  }
  get times(): Float64Array {
    return this.allTimes.subarray(this.start, this.start + this.count)
  }
  get severities(): Uint8Array {
    return this.allSeverities.subarray(this.start, this.start + this.count)
  }

  /** Inserts sorted rows. */
  insert(rows: Rows): void {
    const { length } = rows
    if (length === 0) return
    const low = this.indexOf(rows.times[0]!, rows.sequences[0])
    const high = this.indexOf(rows.times[length - 1]!, rows.sequences[length - 1])
    if (low < this.count) this.changes++
    // Only the rows after the first new one, or those before the last one, are moved.
    if (this.count - low <= high) this.mergeFromEnd(rows, low)
    else this.mergeFromStart(rows, high)
    this.count += length
  }

  /** Removes the rows before a sequence number. */
  removeBefore(sequence: number): void {
    const { allSequences, allTimes, allSeverities, start } = this
    const end = start + this.count
    let to = start
    for (let from = start; from < end; from++) {
      if (allSequences[from]! < sequence) continue
      allSequences[to] = allSequences[from]!
      allTimes[to] = allTimes[from]!
      allSeverities[to] = allSeverities[from]!
      to++
    }
    if (to < end) this.changes++
    this.count = to - start
  }

  /** Returns the index of the first row that comes after a time and sequence number, or has them. */
  indexOf(time: number, sequence = -1): number {
    const { allTimes, allSequences, start } = this
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = start + middle
      const order = allTimes[at]! - time || allSequences[at]! - sequence
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private mergeFromEnd(rows: Rows, low: number): void {
    this.reserve(0, rows.length)
    const first = this.start + low
    let old = this.start + this.count - 1
    let to = old + rows.length
    for (let added = rows.length - 1; added >= 0; to--) {
      if (old >= first && this.isAfter(old, rows, added)) this.copy(old--, to)
      else this.set(to, rows, added--)
    }
  }

  private mergeFromStart(rows: Rows, high: number): void {
    this.reserve(rows.length, 0)
    const end = this.start + high
    let old = this.start
    this.start -= rows.length
    let to = this.start
    for (let added = 0; added < rows.length; to++) {
      if (old < end && !this.isAfter(old, rows, added)) this.copy(old++, to)
      else this.set(to, rows, added++)
    }
  }

  private isAfter(old: number, rows: Rows, added: number): boolean {
    return (this.allTimes[old]! - rows.times[added]! || this.allSequences[old]! - rows.sequences[added]!) > 0
  }

  private copy(from: number, to: number): void {
    this.allSequences[to] = this.allSequences[from]!
    this.allTimes[to] = this.allTimes[from]!
    this.allSeverities[to] = this.allSeverities[from]!
  }

  private set(to: number, rows: Rows, added: number): void {
    this.allSequences[to] = rows.sequences[added]!
    this.allTimes[to] = rows.times[added]!
    this.allSeverities[to] = rows.severities[added]!
  }

  /** Makes room before and after the rows. */
  private reserve(before: number, after: number): void {
    const { start, count } = this
    const capacity = this.allTimes.length
    if (start >= before && capacity - start - count >= after) return
    const free = Math.max(initialCapacity, count + before + after)
    // Rows are usually added to the same side again.
    const newStart = before > 0 ? free - (free >> 2) : free >> 2
    this.allSequences = moved(this.sequences, new Float64Array(count + free), newStart)
    this.allTimes = moved(this.times, new Float64Array(count + free), newStart)
    this.allSeverities = moved(this.severities, new Uint8Array(count + free), newStart)
    this.start = newStart
  }
}

function moved<A extends Float64Array | Uint8Array>(from: A, to: A, at: number): A {
  to.set(from, at)
  return to
}

const initialCapacity = 1_024
