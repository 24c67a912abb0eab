import type { RecordHandler } from '../handler/record-handler.ts'
import type { ByteBuffers } from '../pipeline/batch-buffer.ts'
import type { LogRecord } from '../record/record.ts'
import type { HeldEncoder } from './held-encoder.ts'
import { HeldRecordPool, type EncodedForHolding } from './held-record.ts'
import { KeyRing, KeyRings, type RecordKey } from './key-ring.ts'
import type { RecorderSettings } from './options.ts'
import type { KeyOf } from './record-key.ts'
import { markAsRecorded } from './recorded-mark.ts'
import { TextStore } from './text-store.ts'

/** The estimated memory of a ring with its entries in maps, without the key's own text, in bytes. */
const ringBytes = 320
/** The estimated memory of a held record without its text, in bytes. */
const recordBytes = 136

/** What a recorder needs from the runtime. */
export interface RecorderHost {
  /** Returns monotonic time in ms. */
  monotonic(): number
  /** Calls a function after a delay in ms, for which the process does not stay alive. */
  delay(millis: number, callback: () => void): { cancel(): void }
  /** Creates buffers that only the recorder uses. */
  createTextBuffers(): ByteBuffers
}

/**
 * The flight recorder of a root logger and its children: it holds records below the logger's level as finished text, and releases those of
 * one key when a record of that key is severe enough.
 */
export class Recorder {
  private readonly settings: RecorderSettings
  private readonly host: RecorderHost
  private readonly keyOf: KeyOf
  private readonly rings = new KeyRings()
  private readonly texts: TextStore
  private readonly pool = new HeldRecordPool()
  private heldCount = 0
  /** The memory of the texts of keys, in bytes. */
  private keyBytes = 0
  /** The requests that were triggered and have not ended. Their rings may have expired. */
  private readonly releasedRequests = new WeakSet<object>()
  private expiry: { cancel(): void } | undefined
  private isClosed = false
  /** Changes with each held record, and when a ring is released or removed. */
  private changeCount = 0
  private lastTime = NaN
  private lastNow = 0

  constructor(settings: RecorderSettings, keyOf: KeyOf, host: RecorderHost) {
    this.settings = settings
    this.host = host
    this.keyOf = keyOf
    this.texts = new TextStore(host.createTextBuffers(), settings.maxTotalBytes)
  }

  /** The number of keys that have a ring. */
  get keyCount(): number {
    return this.rings.size
  }

  /** The estimated memory of everything that is held, in bytes. */
  get byteLength(): number {
    return this.texts.byteLength + this.rings.size * ringBytes + this.heldCount * recordBytes + this.keyBytes
  }

  /**
   * Holds a record below the logger's level, or writes it if its key was triggered. Throws only if the stack is exhausted, and then before
   * anything was counted.
   *
   * @param handler - writes the record if its key was triggered
   */
  hold(record: LogRecord, encoder: HeldEncoder, handler: RecordHandler): void {
    const key = this.isClosed ? undefined : this.keyOf(record)
    if (key === undefined) return encoder.countFiltered()
    const now = this.timeOf(record)
    const ring = this.find(key, now)
    if (ring !== undefined && ring.isReleased) {
      this.touch(ring, now)
      return handler.handle(record)
    }
    markAsRecorded(record)
    const changeCount = ++this.changeCount
    const encoded = encoder.encode(record)
    if (encoded === undefined) return encoder.countFiltered()
    if (encoded.text.length > this.settings.maxLength) return discardAtOnce(encoded)
    // User code that ran while the record was encoded may have logged, and released or removed the ring.
    const currentRing = changeCount === this.changeCount ? ring : this.find(key, now)
    this.append(currentRing ?? this.addRing(key, now), encoded, record.severity, now)
  }

  /** Releases the records of the key of a record that is about to be written, if the record is severe enough. */
  beforeWrite(record: LogRecord): void {
    const isTrigger = record.severity >= this.settings.triggerThreshold
    if (this.isClosed || (!isTrigger && this.rings.size === 0)) return
    const key = this.keyOf(record)
    if (key === undefined) return
    const now = this.timeOf(record)
    const ring = this.find(key, now)
    if (ring !== undefined) this.touch(ring, now)
    if (!isTrigger || ring?.isReleased === true) return
    const released = ring ?? this.addRing(key, now)
    this.release(released, now)
    this.enforceLimits(released, now)
  }

  /** Releases the records of all keys, those of the key that was not used for the longest time first. */
  releaseAll(): void {
    const now = this.host.monotonic()
    for (const ring of this.rings.all()) if (!ring.isReleased) this.release(ring, now)
  }

  /** Discards the records of a request that has ended. */
  endRequest(request: object): void {
    this.releasedRequests.delete(request)
    const ring = this.rings.get(request)
    if (ring !== undefined) this.removeRing(ring)
  }

  /** Discards all records. Later ones are not held. */
  close(): void {
    this.isClosed = true
    this.expiry?.cancel()
    while (this.rings.oldest !== undefined) this.removeRing(this.rings.oldest)
  }

  /** Adds a record to the ring of its key. Everything that can throw comes before the record is counted. */
  private append(ring: KeyRing, encoded: EncodedForHolding, severity: number, now: number): void {
    this.touch(ring, now)
    const held = this.pool.create(encoded, severity, now)
    this.texts.add(held, encoded.text)
    held.destination.count()
    this.heldCount++
    ring.append(held)
    if (ring.isReleased || severity >= this.settings.triggerThreshold) this.release(ring, now)
    else this.enforceLimits(ring, now)
  }

  private enforceLimits(ring: KeyRing, now: number): void {
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

  /** Writes the records of a ring, and marks it as released. */
  private release(ring: KeyRing, now: number): void {
    this.changeCount++
    this.discardOld(ring, now)
    // Code that runs while the records are written may log. Its records are written at once.
    ring.isReleased = true
    if (typeof ring.key === 'object') this.releasedRequests.add(ring.key)
    for (let held = ring.removeFirst(); held !== undefined; held = ring.removeFirst()) {
      const text = held.page!.textOf(held)
      this.texts.remove(held)
      this.heldCount--
      held.destination.release(held, text)
      this.pool.release(held)
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

  /** Returns the ring of a key; undefined if it has none or has ended. */
  private find(key: RecordKey, now: number): KeyRing | undefined {
    const ring = this.rings.get(key)
    if (ring !== undefined && !this.hasExpired(ring, now)) return ring
    if (ring !== undefined) this.removeRing(ring)
    return typeof key === 'object' && this.releasedRequests.has(key) ? this.addRing(key, now) : undefined
  }

  private addRing(key: RecordKey, now: number): KeyRing {
    const ring = new KeyRing(key, now)
    ring.isReleased = typeof key === 'object' && this.releasedRequests.has(key)
    this.rings.add(ring)
    this.keyBytes += keyBytesOf(key)
    if (this.expiry === undefined) this.scheduleExpiry(this.settings.maxAgeMillis)
    return ring
  }

  private removeRing(ring: KeyRing): void {
    this.changeCount++
    this.rings.remove(ring)
    this.keyBytes -= keyBytesOf(ring.key)
    while (ring.first !== undefined) this.discardFirst(ring)
  }

  private touch(ring: KeyRing, now: number): void {
    ring.lastUsedAt = now
    this.rings.touch(ring)
  }

  private hasExpired(ring: KeyRing, now: number): boolean {
    return now - ring.lastUsedAt >= this.settings.maxAgeMillis
  }

  /** Removes the rings that were not used for `maxAgeMillis`. */
  private expire(): void {
    this.expiry = undefined
    const now = (this.lastNow = this.host.monotonic())
    let { oldest } = this.rings
    while (oldest !== undefined && this.hasExpired(oldest, now)) {
      this.removeRing(oldest)
      oldest = this.rings.oldest
    }
    if (oldest !== undefined) this.scheduleExpiry(oldest.lastUsedAt + this.settings.maxAgeMillis - now)
  }

  private scheduleExpiry(millis: number): void {
    this.expiry = this.host.delay(Math.max(1, Math.ceil(millis)), () => this.expire())
  }

  /** Returns the monotonic time of a record, in ms. The clock is read once for all records of the same millisecond. */
  private timeOf({ time }: LogRecord): number {
    if (time !== this.lastTime) {
      this.lastTime = time
      this.lastNow = this.host.monotonic()
    }
    return this.lastNow
  }
}

function discardAtOnce({ destination }: EncodedForHolding): void {
  destination.count()
  destination.discard()
}

function keyBytesOf(key: RecordKey): number {
  return typeof key === 'string' ? key.length : 0
}
