import type { RecordSource } from '../otlp/otlp-record.ts'

/** A source with the number of its records in the store. */
interface Entry {
  readonly key: string
  readonly source: RecordSource
  records: number
}

/** The sources of the records in the store, by number. A source without records is forgotten, and its number is used again. */
export class SourceTable {
  private readonly entries: (Entry | undefined)[] = []
  private readonly numbers = new Map<string, number>()
  private readonly freeNumbers: number[] = []
  private bytes = 0

  /** The estimated memory of all sources, in bytes. */
  get byteLength(): number {
    return this.bytes
  }

  /** The numbers of the sources that have records. */
  *used(): Generator<readonly [number: number, source: RecordSource]> {
    for (const [number, entry] of this.entries.entries()) if (entry !== undefined) yield [number, entry.source]
  }

  /**
   * Returns the number of a source. It is only valid until records are removed, unless a record of it is added.
   *
   * @param key - identifies the source
   */
  numberOf(key: string, create: () => RecordSource): number {
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.freeNumbers.pop() ?? this.entries.length
    this.entries[number] = { key, source: create(), records: 0 }
    this.numbers.set(key, number)
    this.bytes += sizeOf(key)
    return number
  }

  get(number: number): RecordSource {
    return this.entries[number]!.source
  }

  /** Returns what identifies a source. */
  keyOf(number: number): string {
    return this.entries[number]!.key
  }

  addRecord(number: number): void {
    this.entries[number]!.records++
  }

  removeRecord(number: number): void {
    const entry = this.entries[number]!
    if (--entry.records > 0) return
    this.entries[number] = undefined
    this.numbers.delete(entry.key)
    this.freeNumbers.push(number)
    this.bytes -= sizeOf(entry.key)
  }
}

/** The estimated memory of a source without its texts, in bytes. */
const entryBytes = 1_000
/** A key is kept as text, and its values a second time in the source. Characters have up to two bytes. */
const bytesOfCharacter = 4

/** Returns the estimated memory of a source, in bytes. */
function sizeOf(key: string): number {
  return entryBytes + key.length * bytesOfCharacter
}
