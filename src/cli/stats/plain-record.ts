import { SimpleSluiceRecord } from '../../read/formats/simple-sluice-record.ts'
import type { ReadRecord } from '../../read/record.ts'
import { templateKeys } from '../../read/templates/templates.ts'

/** Attributes that have the template of a message, a service or a number of dropped attributes. */
const keys: ReadonlySet<string> = new Set([...templateKeys, 'service', 'otel.dropped_attributes_count'])
/** 1 for each character that a key begins with. */
const isFirst: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) =>
  [...keys].some((key) => key.charCodeAt(0) === unit) ? 1 : 0,
)
/** Each marker of something that was cut, and the key of removed members, end with it. */
const markerEnd = ']"'

/**
 * Finds the records that certainly report no losses, and have neither their template nor their service in an attribute. This is found in the
 * bytes of a simple line, because parsing its attributes would take longer than everything else that is counted.
 */
export class PlainRecords {
  private bytes: Buffer | undefined
  /** The position of the first `markerEnd` after `searchedFrom`; the end of the bytes without one. */
  private marker = 0
  private searchedFrom = 0

  /** Returns whether a record is certainly such a record. */
  has(record: ReadRecord): record is SimpleSluiceRecord {
    if (!(record instanceof SimpleSluiceRecord) || record.eventName !== undefined) return false
    const { bytes } = record
    const { messageStart, attributesStart, count, positions } = record.positions
    const end = count === 0 ? attributesStart : positions[3 * count - 1]!
    if (this.nextMarker(bytes, messageStart) < end) return false
    for (let index = 0; index < count; index++) {
      const start = positions[3 * index]! + 1
      if (isFirst[bytes[start]!] === 0) continue
      if (keys.has(bytes.toString('latin1', start, positions[3 * index + 1]! - 2))) return false
    }
    return true
  }

  /** Returns the position of the next end of a marker. Most chunks of lines are searched once. */
  private nextMarker(bytes: Buffer, start: number): number {
    // The buffer of another chunk is another object, also where it has the same memory.
    if (bytes !== this.bytes || start < this.searchedFrom || start > this.marker) {
      const found = bytes.indexOf(markerEnd, start, 'latin1')
      this.bytes = bytes
      this.searchedFrom = start
      this.marker = found < 0 ? bytes.length : found
    }
    return this.marker
  }
}
