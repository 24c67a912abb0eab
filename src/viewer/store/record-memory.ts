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
  private readonly all = new RecordQueue()
  private readonly byKey = new Map<string, RecordQueue>()
  private readonly maxRecords: number
  private count = 0

  constructor(maxRecords: number) {
    this.maxRecords = maxRecords
  }

  /** The record that came first; undefined without one. */
  get oldest(): RememberedRecord | undefined {
    return this.all.first?.record
  }

  /** Remembers a record. Returns the one that is forgotten for it. */
  remember(record: RememberedRecord): RememberedRecord | undefined {
    const entry = { record, isForgotten: false }
    this.all.add(entry)
    const same = this.byKey.get(record.key) ?? new RecordQueue()
    this.byKey.set(record.key, same)
    same.add(entry)
    return ++this.count > this.maxRecords ? this.forgetOldest() : undefined
  }

  /** Returns the first record that can be the same, and forgets it. */
  take(key: string, time: number, earlier: number, later: number): RememberedRecord | undefined {
    const found = this.byKey
      .get(key)
      ?.find((record) => time >= record.time - record.earlier - later && time <= record.time + record.later + earlier)
    if (found !== undefined) this.forget(found)
    return found?.record
  }

  /** Forgets the record that came first, and returns it. */
  forgetOldest(): RememberedRecord | undefined {
    const entry = this.all.first
    if (entry !== undefined) this.forget(entry)
    return entry?.record
  }

  private forget(entry: Entry): void {
    entry.isForgotten = true
    this.count--
    const { key } = entry.record
    if (this.byKey.get(key)?.first === undefined) this.byKey.delete(key)
  }
}

interface Entry {
  readonly record: RememberedRecord
  isForgotten: boolean
}

const minRemoved = 64

/** Records in the order in which they came. Those that are forgotten are removed later, many at once. */
class RecordQueue {
  private entries: Entry[] = []
  private start = 0

  /** The first entry that is not forgotten; undefined without one. */
  get first(): Entry | undefined {
    while (this.entries[this.start]?.isForgotten === true) this.start++
    return this.entries[this.start]
  }

  add(entry: Entry): void {
    const { first, start, entries } = this
    if (first === undefined) this.entries = []
    else if (start >= minRemoved && start * 2 > entries.length) this.entries = entries.slice(start)
    if (this.entries !== entries) this.start = 0
    this.entries.push(entry)
  }

  find(isSame: (record: RememberedRecord) => boolean): Entry | undefined {
    const { entries } = this
    if (this.first === undefined) return undefined
    for (let index = this.start; index < entries.length; index++)
      if (!entries[index]!.isForgotten && isSame(entries[index]!.record)) return entries[index]
    return undefined
  }
}
