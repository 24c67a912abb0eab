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
  /** Adds the record to the store. */
  readonly add: () => void
  /** When it came, in ms since the Unix epoch. */
  readonly cameAt: number
}

/** Remembers records until they are taken. The oldest are forgotten. */
export class RecordMemory {
  private readonly records = new Set<RememberedRecord>()
  private readonly byKey = new Map<string, RememberedRecord[]>()
  private readonly maxRecords: number

  constructor(maxRecords: number) {
    this.maxRecords = maxRecords
  }

  /** The record that came first; undefined without one. */
  get oldest(): RememberedRecord | undefined {
    return this.records.values().next().value
  }

  /** Remembers a record. Returns the one that is forgotten for it. */
  remember(record: RememberedRecord): RememberedRecord | undefined {
    this.records.add(record)
    const same = this.byKey.get(record.key)
    if (same === undefined) this.byKey.set(record.key, [record])
    else same.push(record)
    if (this.records.size <= this.maxRecords) return undefined
    const forgotten = this.oldest!
    this.forget(forgotten)
    return forgotten
  }

  /** Returns the first record that can be the same, and forgets it. */
  take(key: string, time: number, earlier: number, later: number): RememberedRecord | undefined {
    const found = this.byKey
      .get(key)
      ?.find((record) => time >= record.time - record.earlier - later && time <= record.time + record.later + earlier)
    if (found !== undefined) this.forget(found)
    return found
  }

  forget(record: RememberedRecord): void {
    this.records.delete(record)
    const same = this.byKey.get(record.key)
    if (same === undefined) return
    if (same.length === 1) this.byKey.delete(record.key)
    else same.splice(same.indexOf(record), 1)
  }
}
