import type { TemporaryFile } from '../repeatable/temporary-file.ts'
import { entryBytes, entryDoubles, IndexRun, type EntryLocation } from './index-run.ts'
import type { TimeKey } from './time-key.ts'

const blockEntries = 8192

/**
 * The times and locations of records that are out of order, 40 bytes for each. Up to `capacity` of them are in memory; the others are
 * in sorted runs in a temporary file.
 */
export class RecordIndex {
  readonly #capacity: number
  readonly #openFile: () => TemporaryFile
  #doubles = new Float64Array(0)
  #integers = new Uint32Array(0)
  #count = 0
  #file: TemporaryFile | undefined
  readonly #runs: { readonly position: number; readonly count: number }[] = []

  /** @param openFile - creates the temporary file, once it is needed */
  constructor(openFile: () => TemporaryFile, capacity = 262_144) {
    this.#openFile = openFile
    this.#capacity = capacity
  }

  /** Adds a record. Records must be added in the order that those with the same time have in the output. */
  add(time: TimeKey, location: EntryLocation): void {
    if (this.#count * entryDoubles === this.#doubles.length) this.#grow()
    const at = this.#count++ * entryDoubles
    this.#doubles[at] = time.millis
    this.#doubles[at + 1] = location.offset
    this.#doubles[at + 2] = location.line
    this.#integers[2 * at + 6] = time.nanos
    this.#integers[2 * at + 7] = location.length
    this.#integers[2 * at + 8] = location.source
    this.#integers[2 * at + 9] = location.part
  }

  /** Returns the sorted runs; the records of a run precede those of later runs with the same time. The index must not change any more. */
  finish(): IndexRun[] {
    const onDisk = this.#runs.map(({ position, count }, rank) => IndexRun.onDisk(rank, this.#file!, position, count))
    if (this.#count === 0) return onDisk
    return [...onDisk, IndexRun.inMemory(onDisk.length, this.#doubles, this.#integers, this.#order())]
  }

  #grow(): void {
    if (this.#count >= this.#capacity) return this.#writeRun()
    const entries = Math.min(this.#capacity, Math.max(1024, 2 * this.#count))
    const doubles = new Float64Array(entries * entryDoubles)
    doubles.set(this.#doubles)
    this.#doubles = doubles
    this.#integers = new Uint32Array(doubles.buffer)
  }

  #writeRun(): void {
    this.#file ??= this.#openFile()
    const order = this.#order()
    const position = this.#file.size
    const block = new Float64Array(Math.min(blockEntries, order.length) * entryDoubles)
    for (let start = 0; start < order.length; start += blockEntries) {
      const end = Math.min(start + blockEntries, order.length)
      for (let index = start; index < end; index++) {
        const at = order[index]! * entryDoubles
        block.set(this.#doubles.subarray(at, at + entryDoubles), (index - start) * entryDoubles)
      }
      this.#file.append(new Uint8Array(block.buffer, 0, (end - start) * entryBytes))
    }
    this.#runs.push({ position, count: order.length })
    this.#count = 0
  }

  /** Returns the numbers of the entries in the order of their times. */
  #order(): readonly number[] {
    const doubles = this.#doubles
    const integers = this.#integers
    // An array, whose sort is stable and fast for what is nearly in order, as logs are.
    return Array.from({ length: this.#count }, (_, index) => index).toSorted((left, right) => {
      const a = left * entryDoubles
      const b = right * entryDoubles
      return doubles[a]! - doubles[b]! || integers[2 * a + 6]! - integers[2 * b + 6]!
    })
  }
}
