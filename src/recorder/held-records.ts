import type { ByteBuffers } from '../pipeline/batch-buffer.ts'
import { HeldRecordPool, type EncodedForHolding, type HeldRecord } from './held-record.ts'
import { KeyRing, KeyRings, type RecordKey } from './key-ring.ts'
import type { RecorderSettings } from './options.ts'
import type { TextPage } from './text-page.ts'
import { TextStore } from './text-store.ts'

/** The estimated memory of a ring with its entries in maps, without the key's own text, in bytes. */
const ringBytes = 328
/** The estimated memory of a held record without its text, in bytes. */
const recordBytes = 136

/** The held records of all keys, within the limits of a recorder. */
export class HeldRecords {
  readonly rings: KeyRings = new KeyRings()
  /** Changes when a ring is released or removed. */
  changeCount = 0
  private readonly settings: RecorderSettings
  private readonly texts: TextStore
  private readonly pool = new HeldRecordPool()
  private heldCount = 0
  /** The memory of the texts of keys, in bytes. */
  private keyBytes = 0

  constructor(settings: RecorderSettings, buffers: ByteBuffers, endOfTurn: (callback: () => void) => unknown) {
    this.settings = settings
    this.texts = new TextStore(buffers, settings.maxTotalBytes, endOfTurn)
  }

  /** The estimated memory of everything that is held, in bytes. */
  get byteLength(): number {
    return this.texts.byteLength + this.rings.size * ringBytes + this.heldCount * recordBytes + this.keyBytes
  }

  addRing(key: RecordKey, now: number): KeyRing {
    const ring = new KeyRing(key, now)
    this.rings.add(ring)
    this.keyBytes += keyBytesOf(key)
    return ring
  }

  /** Removes a ring, and discards its records. */
  removeRing(ring: KeyRing): void {
    this.changeCount++
    this.rings.remove(ring)
    this.keyBytes -= keyBytesOf(ring.key)
    while (ring.first !== undefined) this.discardFirst(ring)
  }

  /** Adds a record to the ring of its key. Everything that can throw comes before the record is counted. */
  append(ring: KeyRing, encoded: EncodedForHolding, severity: number, now: number): void {
    const held = this.pool.create(encoded, severity, now)
    this.texts.add(held, encoded.text)
    held.destination.count()
    this.heldCount++
    ring.append(held)
  }

  /** Writes the records of a ring that are not too old. */
  release(ring: KeyRing, now: number): void {
    this.changeCount++
    this.discardOld(ring, now)
    let lastPage: TextPage<HeldRecord> | undefined
    for (let held = ring.removeFirst(); held !== undefined; held = ring.removeFirst()) {
      const page = held.page!
      if (page !== lastPage) lastPage?.endReading()
      lastPage = page
      const text = page.textOf(held)
      this.texts.remove(held)
      this.heldCount--
      held.destination.release(held, text)
      this.pool.release(held)
    }
    lastPage?.endReading()
  }

  /**
   * Discards what exceeds the limits.
   *
   * @param ring - the ring that was used last
   */
  enforceLimits(ring: KeyRing, now: number): void {
    const { maxRecords, maxLength, maxTotalBytes } = this.settings
    this.discardOld(ring, now)
    while (ring.count > maxRecords || ring.length > maxLength) this.discardFirst(ring)
    while (this.byteLength > maxTotalBytes) {
      const { oldest } = this.rings
      if (oldest === undefined) return
      if (oldest !== ring) this.removeRing(oldest)
      // The records of other keys are gone, so the limit is nearly that of this key.
      else if (ring.count > 0) this.discardFirst(ring)
      else return
    }
  }

  private discardOld(ring: KeyRing, now: number): void {
    const oldestTime = now - this.settings.maxAgeMillis
    while (ring.first !== undefined && ring.first.heldAt <= oldestTime) this.discardFirst(ring)
  }

  private discardFirst(ring: KeyRing): void {
    const held = ring.removeFirst()!
    this.texts.remove(held)
    this.heldCount--
    held.destination.discard()
    this.pool.release(held)
  }
}

function keyBytesOf(key: RecordKey): number {
  return typeof key === 'string' ? key.length : 0
}
