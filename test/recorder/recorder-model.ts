export type Level = 'debug' | 'info' | 'error'

interface ModelRecord {
  readonly key: number
  readonly message: string
  readonly time: number
  readonly isRecorded: boolean
}

interface ModelRing {
  held: ModelRecord[]
  lastUsedAt: number
  isReleased: boolean
}

/** What a flight recorder must write, computed with lists instead of rings, pages and timers. */
export class RecorderModel {
  readonly written: ModelRecord[] = []
  released = 0
  private readonly rings = new Map<number, ModelRing>()
  private readonly maxHeld: number
  private readonly maxAgeMillis: number

  constructor(maxHeld: number, maxAgeMillis: number) {
    this.maxHeld = maxHeld
    this.maxAgeMillis = maxAgeMillis
  }

  log(key: number, level: Level, message: string, time: number): void {
    const previous = this.rings.get(key)
    const hasEnded = previous === undefined || time - previous.lastUsedAt >= this.maxAgeMillis
    const ring = hasEnded ? { held: [], lastUsedAt: time, isReleased: false } : previous
    if (level !== 'info' || !hasEnded) this.rings.set(key, ring)
    else this.rings.delete(key)
    ring.lastUsedAt = time
    ring.held = ring.held.filter((record) => record.time > time - this.maxAgeMillis)
    const isHeld = level === 'debug' && !ring.isReleased
    const record = { key, message, time, isRecorded: isHeld }
    if (isHeld) {
      ring.held = this.maxHeld === 0 ? [] : [...ring.held, record].slice(-this.maxHeld)
      return
    }
    if (level === 'error') {
      this.written.push(...ring.held)
      this.released += ring.held.length
      ring.held = []
      ring.isReleased = true
    }
    this.written.push(record)
  }
}
