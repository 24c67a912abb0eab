/** A record that is remembered. */
export interface RememberedRecord {
  /** Identifies the level and the message. */
  readonly key: string
  /** ms since the Unix epoch. */
  readonly time: number
  /** By how many ms the time of the same record can be earlier. */
  readonly earlier: number
  /** By how many ms the time of the same record can be later. */
  readonly later: number
}

/** A record with whether it was taken. */
export interface Entry<Remembered extends RememberedRecord = RememberedRecord> {
  readonly record: Remembered
  /** Whether it was found, and may be forgotten soon. */
  isTaken: boolean
  isForgotten: boolean
}

/** Remembers records until they are forgotten. */
export class RecordMemory<Remembered extends RememberedRecord = RememberedRecord> {
  private readonly all = new RecordQueue<Remembered>()
  private readonly byKey = new Map<string, RecordQueue<Remembered>>()

  /** The number of records. */
  get count(): number {
    return this.all.count
  }

  /** The record that came first; undefined without one. */
  get oldest(): Remembered | undefined {
    return this.all.first?.record
  }

  remember(record: Remembered): void {
    const entry = { record, isTaken: false, isForgotten: false }
    this.all.add(entry)
    const same = this.byKey.get(record.key) ?? new RecordQueue()
    this.byKey.set(record.key, same)
    same.add(entry)
  }

  /** Returns the first record that can be the same, and is not found again until it is given back. */
  take(key: string, time: number, earlier: number, later: number): Entry<Remembered> | undefined {
    const found = this.byKey
      .get(key)
      ?.find((record) => time >= record.time - record.earlier - later && time <= record.time + record.later + earlier)
    if (found !== undefined) found.isTaken = true
    return found
  }

  /** Forgets the record that came first, and returns it. */
  forgetOldest(): Remembered | undefined {
    const entry = this.all.first
    if (entry !== undefined) this.forget(entry)
    return entry?.record
  }

  forget(entry: Entry<Remembered>): void {
    if (entry.isForgotten) return
    entry.isForgotten = true
    this.all.removeLater()
    const { key } = entry.record
    const same = this.byKey.get(key)
    same?.removeLater()
    if (same?.count === 0) this.byKey.delete(key)
  }
}

const minRemoved = 64

/** Records in the order in which they came. Those that are forgotten are removed later, many at once. */
class RecordQueue<Remembered extends RememberedRecord> {
  private entries: Entry<Remembered>[] = []
  private start = 0
  private forgotten = 0

  /** The number of entries that are not forgotten. */
  get count(): number {
    return this.entries.length - this.forgotten
  }

  /** The first entry that is not forgotten; undefined without one. */
  get first(): Entry<Remembered> | undefined {
    while (this.entries[this.start]?.isForgotten === true) this.start++
    return this.entries[this.start]
  }

  add(entry: Entry<Remembered>): void {
    this.entries.push(entry)
  }

  /** Counts an entry as forgotten. */
  removeLater(): void {
    if (++this.forgotten < minRemoved || this.forgotten * 2 < this.entries.length) return
    this.entries = this.entries.filter(({ isForgotten }) => !isForgotten)
    this.start = 0
    this.forgotten = 0
  }

  find(isSame: (record: Remembered) => boolean): Entry<Remembered> | undefined {
    const { entries } = this
    if (this.first === undefined) return undefined
    for (let index = this.start; index < entries.length; index++) {
      const entry = entries[index]!
      if (!entry.isTaken && !entry.isForgotten && isSame(entry.record)) return entry
    }
    return undefined
  }
}
