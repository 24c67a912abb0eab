import type { HeldRecord } from './held-record.ts'

/** What identifies the records that are released together: a trace ID, a request, or the value of an attribute. */
export type RecordKey = string | number | bigint | boolean | object

/** The held records of one key, the oldest first. A ring is also an entry of the list of all rings, in the order of their last use. */
export class KeyRing {
  readonly key: RecordKey
  /** Whether the key was triggered: its records are written until it ends, or until `releasedUntil`. */
  isReleased = false
  /** When a released key is held again, in ms of the recorder's clock; undefined if it is released until it ends. */
  releasedUntil: number | undefined = undefined
  /** When the last record of the key was logged, in ms of the recorder's clock. */
  lastUsedAt: number
  count = 0
  /** The length of the texts in UTF-16 units. */
  length = 0
  first: HeldRecord | undefined = undefined
  last: HeldRecord | undefined = undefined
  /** The ring that was used before this one. */
  older: KeyRing | undefined = undefined
  newer: KeyRing | undefined = undefined

  constructor(key: RecordKey, lastUsedAt: number) {
    this.key = key
    this.lastUsedAt = lastUsedAt
  }

  append(held: HeldRecord): void {
    if (this.last === undefined) this.first = held
    else this.last.next = held
    this.last = held
    this.count++
    this.length += held.length
  }

  /** Removes and returns the oldest record, or undefined from an empty ring. */
  removeFirst(): HeldRecord | undefined {
    const { first } = this
    if (first === undefined) return undefined
    this.first = first.next
    if (this.first === undefined) this.last = undefined
    first.next = undefined
    this.count--
    this.length -= first.length
    return first
  }
}

/** All rings by key, and in the order of their last use. */
export class KeyRings {
  /** The ring that was not used for the longest time. */
  oldest: KeyRing | undefined
  private newest: KeyRing | undefined
  private readonly byKey = new Map<RecordKey, KeyRing>()
  /** The ring of the last `get`: consecutive records often have the same key. */
  private last: KeyRing | undefined

  get size(): number {
    return this.byKey.size
  }

  /** Returns all rings, the one that was not used for the longest time first. */
  all(): KeyRing[] {
    const rings: KeyRing[] = []
    for (let ring = this.oldest; ring !== undefined; ring = ring.newer) rings.push(ring)
    return rings
  }

  get(key: RecordKey): KeyRing | undefined {
    if (this.last !== undefined && this.last.key === key) return this.last
    const ring = this.byKey.get(key)
    if (ring !== undefined) this.last = ring
    return ring
  }

  add(ring: KeyRing): void {
    this.byKey.set(ring.key, ring)
    this.linkNewest(ring)
    this.last = ring
  }

  /** Makes a ring the one that was used last. */
  touch(ring: KeyRing): void {
    if (ring === this.newest) return
    this.unlink(ring)
    this.linkNewest(ring)
  }

  remove(ring: KeyRing): void {
    this.byKey.delete(ring.key)
    this.unlink(ring)
    if (this.last === ring) this.last = undefined
  }

  private linkNewest(ring: KeyRing): void {
    ring.older = this.newest
    ring.newer = undefined
    if (this.newest === undefined) this.oldest = ring
    else this.newest.newer = ring
    this.newest = ring
  }

  private unlink(ring: KeyRing): void {
    const { older, newer } = ring
    if (older === undefined) this.oldest = newer
    else older.newer = newer
    if (newer === undefined) this.newest = older
    else newer.older = older
    ring.older = undefined
    ring.newer = undefined
  }
}
