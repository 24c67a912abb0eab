import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { LogStore, RecordPlace } from '../store/log-store.ts'

/** The records that are read, spread over all of them. */
const sampledRecords = 1_000
const maxKeys = 300
const maxValues = 10
const maxCountedValues = 200
const maxValueLength = 60
const maxKeyLength = 200
/** Records with more bytes are not read, because that takes too long. */
const maxRecordBytes = 100_000
const maxDepth = 3
/** One record with very many keys must not displace those of all others. */
const maxKeysOfMap = 100

/** A key of records, as a query names it, with its most frequent values. */
export interface KeyInfo {
  readonly key: string
  /** In how many of the sampled records it is. */
  readonly count: number
  readonly values: readonly (readonly [text: string, count: number])[]
}

/** Returns the keys of attributes that are frequent, by a sample of the records, the newest ones included. */
export function keysOf(store: LogStore): KeyInfo[] {
  const keys = new Map<string, KeyCounts>()
  const step = Math.max(1, Math.floor(store.size / sampledRecords))
  for (let sequence = store.nextSequence - 1; sequence >= store.firstSequence; sequence -= step) {
    const place = store.placeOf(sequence)
    if (place === undefined || bytesOf(place) > maxRecordBytes) continue
    const { attributes, resource } = store.readAt(place.segment, place.index)
    countMap(attributes, '', 0, keys)
    countMap(resource, '', 0, keys)
  }
  return Array.from(keys, ([key, counts]) => ({ key, count: counts.records, values: counts.frequentValues() }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxKeys)
}

function bytesOf({ segment, index }: RecordPlace): number {
  return segment.ends[index]! - segment.startOf(index)
}

class KeyCounts {
  records = 0
  private readonly values = new Map<string, number>()

  add(value: AnyValue): void {
    this.records++
    if (value === null || typeof value === 'object') return
    const text = String(value)
    const count = this.values.get(text) ?? 0
    if (text.length <= maxValueLength && (count > 0 || this.values.size < maxCountedValues))
      this.values.set(text, count + 1)
  }

  frequentValues(): [text: string, count: number][] {
    return [...this.values].toSorted(([, a], [, b]) => b - a).slice(0, maxValues)
  }
}

function countMap(map: AnyValueMap, prefix: string, depth: number, keys: Map<string, KeyCounts>): void {
  let entries = 0
  for (const [name, value] of map) {
    if (++entries > maxKeysOfMap) return
    const key = prefix + name
    if (key.length > maxKeyLength) continue
    if (value instanceof Map && depth < maxDepth) countMap(value as AnyValueMap, `${key}.`, depth + 1, keys)
    else {
      let counts = keys.get(key)
      if (counts === undefined) {
        if (keys.size >= 2 * maxKeys) continue
        keys.set(key, (counts = new KeyCounts()))
      }
      counts.add(value)
    }
  }
}
