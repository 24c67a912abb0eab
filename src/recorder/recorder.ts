import type { RecordHandler } from '../handler/record-handler.ts'
import type { ByteBuffers } from '../pipeline/batch-buffer.ts'
import type { LogRecord } from '../record/record.ts'
import type { HeldEncoder } from './held-encoder.ts'
import type { EncodedForHolding } from './held-record.ts'
import { HeldRecords } from './held-records.ts'
import type { KeyRing, RecordKey } from './key-ring.ts'
import type { RecorderSettings } from './options.ts'
import type { KeyOf } from './record-key.ts'
import { markAsRecorded } from './recorded-mark.ts'
import { RecorderClock } from './recorder-clock.ts'
import type { RecordedRequest } from './request-recorders.ts'
import { RingExpiry, type RecorderDelay } from './ring-expiry.ts'

/** What a recorder needs from the runtime. */
export interface RecorderHost {
  /** Returns monotonic time in ms. */
  monotonic(): number
  readonly delay: RecorderDelay
  /** Runs a callback at the end of the current turn of the event loop. */
  endOfTurn(callback: () => void): unknown
  /** Creates buffers that only the recorder uses. */
  createTextBuffers(): ByteBuffers
}

/**
 * The flight recorder of a root logger and its children: it holds records below the logger's level as finished text, and releases those of
 * one key when a record of that key is severe enough.
 */
export class Recorder {
  private readonly settings: RecorderSettings
  private readonly keyOf: KeyOf
  private readonly clock: RecorderClock
  private readonly records: HeldRecords
  private readonly expiry: RingExpiry
  /** The requests that were triggered and have not ended. Their rings may have expired. */
  private readonly releasedRequests = new WeakSet<object>()
  private isClosed = false
  /** Changes with each record that is encoded to be held. */
  private encodedCount = 0

  /** @param isSystemTime - whether the time of records is that of the system */
  constructor(settings: RecorderSettings, keyOf: KeyOf, host: RecorderHost, isSystemTime: boolean) {
    this.settings = settings
    this.keyOf = keyOf
    this.clock = new RecorderClock(() => host.monotonic(), isSystemTime)
    this.records = new HeldRecords(settings, host.createTextBuffers(), (callback) => host.endOfTurn(callback))
    const delay: RecorderDelay = (millis, callback) => host.delay(millis, callback)
    this.expiry = new RingExpiry(delay, () => this.removeExpired())
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
    const now = this.clock.timeOf(record)
    const ring = this.find(key, now)
    if (ring !== undefined && ring.isReleased) {
      this.touch(ring, now)
      return handler.handle(record)
    }
    markAsRecorded(record)
    const encodedCount = ++this.encodedCount
    const { changeCount } = this.records
    const encoded = encoder.encode(record)
    if (encoded === undefined) return encoder.countFiltered()
    if (encoded.text.length > this.settings.maxLength) return discardAtOnce(encoded)
    // User code that ran while the record was encoded may have logged, and released or removed the ring.
    const isUnchanged = encodedCount === this.encodedCount && changeCount === this.records.changeCount
    const currentRing = isUnchanged ? ring : this.find(key, now)
    this.append(currentRing ?? this.addRing(key, now), encoded, record.severity, now)
  }

  /** Releases the records of the key of a record that is about to be written, if the record is severe enough. */
  beforeWrite(record: LogRecord): void {
    const isTrigger = record.severity >= this.settings.triggerThreshold
    if (this.isClosed || record.isDetached || (!isTrigger && this.records.rings.size === 0)) return
    const key = this.keyOf(record)
    if (key === undefined) return
    const now = this.clock.timeOf(record)
    const ring = this.find(key, now)
    if (ring !== undefined) this.touch(ring, now)
    if (!isTrigger) return
    const released = ring ?? this.addRing(key, now)
    this.release(released, now)
    if (ring === undefined) this.records.enforceLimits(released, now)
  }

  /**
   * Releases the records of all keys, those of the key that was not used for the longest time first.
   *
   * @param timeoutMillis - the time after which no further key is released, in ms
   */
  releaseAll(timeoutMillis: number): void {
    const start = this.clock.now()
    for (const ring of this.records.rings.all()) {
      if (this.clock.now() - start >= timeoutMillis) return
      this.release(ring, start)
    }
  }

  /** Discards the records of a request that has ended. */
  endRequest(request: object): void {
    this.releasedRequests.delete(request)
    const ring = this.records.rings.get(request)
    if (ring !== undefined) this.records.removeRing(ring)
  }

  /** Discards all records. Later ones are not held. */
  close(): void {
    this.isClosed = true
    this.expiry.stop()
    const { rings } = this.records
    while (rings.oldest !== undefined) this.records.removeRing(rings.oldest)
  }

  private append(ring: KeyRing, encoded: EncodedForHolding, severity: number, now: number): void {
    this.touch(ring, now)
    this.records.append(ring, encoded, severity, now)
    if (ring.isReleased || severity >= this.settings.triggerThreshold) this.release(ring, now)
    else this.records.enforceLimits(ring, now)
  }

  /** Writes the records of a ring, and marks it as released. */
  private release(ring: KeyRing, now: number): void {
    const { key } = ring
    const isOpenRequest = typeof key === 'object' && (key as RecordedRequest).hasEnded !== true
    // A trace and a request end. Another key may be used for as long as the process runs, and so may the context of an ended request.
    const endsWithKey = isOpenRequest || this.settings.by === 'trace'
    ring.releasedUntil = endsWithKey ? undefined : now + this.settings.maxAgeMillis
    // Code that runs while the records are written may log. Its records are written at once.
    ring.isReleased = true
    if (isOpenRequest) this.releasedRequests.add(key)
    this.records.release(ring, now)
  }

  /** Returns the ring of a key; undefined if it has none or has ended. */
  private find(key: RecordKey, now: number): KeyRing | undefined {
    const ring = this.records.rings.get(key)
    if (ring !== undefined && !this.hasExpired(ring, now)) {
      if (ring.releasedUntil !== undefined && now >= ring.releasedUntil) ring.isReleased = false
      return ring
    }
    if (ring !== undefined) this.records.removeRing(ring)
    return typeof key === 'object' && this.releasedRequests.has(key) ? this.addRing(key, now) : undefined
  }

  private addRing(key: RecordKey, now: number): KeyRing {
    const ring = this.records.addRing(key, now)
    ring.isReleased = typeof key === 'object' && this.releasedRequests.has(key)
    this.expiry.start(this.settings.maxAgeMillis)
    return ring
  }

  /** Removes the rings that have ended. Returns the time until the next one ends; undefined without any. */
  private removeExpired(): number | undefined {
    const now = this.clock.now()
    const { rings } = this.records
    while (rings.oldest !== undefined && this.hasExpired(rings.oldest, now)) this.records.removeRing(rings.oldest)
    return rings.oldest && rings.oldest.lastUsedAt + this.settings.maxAgeMillis - now
  }

  private hasExpired(ring: KeyRing, now: number): boolean {
    return now - ring.lastUsedAt >= this.settings.maxAgeMillis
  }

  private touch(ring: KeyRing, now: number): void {
    ring.lastUsedAt = now
    this.records.rings.touch(ring)
  }
}

function discardAtOnce({ destination }: EncodedForHolding): void {
  destination.count()
  destination.discard()
}
