import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'

/** The losses that the records themselves report, added up. */
export class ReportedLosses {
  /** Records that report drops. */
  reports = 0
  /** Records that were dropped, according to these reports. */
  dropped = 0
  readonly droppedByReason: Map<string, number> = new Map()
  readonly droppedByLevel: Map<string, number> = new Map()
  /** Attributes over the limit, as in `otel.dropped_attributes_count`. */
  droppedAttributes = 0
  /** Records with a marker of something that was cut. */
  cutRecords = 0
  cutCharacters = 0
  cutBytes = 0
  cutItems = 0
  cutKeys = 0

  private hasMarker = false

  /** Adds what a record reports. */
  add(record: ReadRecord): void {
    if (record.eventName === 'sluice.records_dropped') this.addReport(record.attributes)
    const droppedAttributes = record.attributes.get('otel.dropped_attributes_count')
    if (droppedAttributes !== undefined) this.droppedAttributes += countOf(droppedAttributes)
    this.hasMarker = false
    if (record.body !== undefined) this.findMarkers(record.body)
    this.findMarkers(record.attributes)
    if (this.hasMarker) this.cutRecords++
  }

  /** Whether the records report that anything is missing. */
  get hasLosses(): boolean {
    return this.reports > 0 || this.droppedAttributes > 0 || this.cutRecords > 0
  }

  private addReport(attributes: AnyValueMap): void {
    this.reports++
    this.dropped += countOf(attributes.get('dropped'))
    addCounts(this.droppedByReason, attributes.get('by_reason'))
    addCounts(this.droppedByLevel, attributes.get('by_level'))
  }

  /** Finds the markers of docs/reference/the-line.md, at any depth. */
  private findMarkers(root: AnyValue): void {
    // A stack of values, because parsed values can be nested more deeply than calls.
    const pending: AnyValue[] = [root]
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (typeof value === 'string') this.findMarker(value)
      else if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue
      else if (value instanceof Map) {
        for (const [key, member] of value as AnyValueMap) {
          if (key === '[truncated]') this.findRemovedKeys(member)
          else if (typeof member === 'string' || typeof member === 'object') pending.push(member)
        }
      } else for (const item of value as readonly AnyValue[]) pending.push(item)
    }
  }

  private findMarker(text: string): void {
    if (text.charCodeAt(text.length - 1) !== closingBracket) return
    const marker = text.slice(-longestMarker)
    const [, characters] = /…\[\+(\d{1,15}) characters\]$/.exec(marker) ?? []
    if (characters !== undefined) this.cutCharacters += this.marked(characters)
    if (text.length > longestMarker) return
    const [, bytes] = /^\[Cut: (\d{1,15}) bytes\]$/.exec(text) ?? []
    if (bytes !== undefined) this.cutBytes += this.marked(bytes)
    const [, items] = /^\[(?:\+|Array: )(\d{1,15}) items\]$/.exec(text) ?? []
    if (items !== undefined) this.cutItems += this.marked(items)
    const [, keys] = /^\[Object: (\d{1,15}) keys\]$/.exec(text) ?? []
    if (keys !== undefined) this.cutKeys += this.marked(keys)
  }

  private findRemovedKeys(value: AnyValue): void {
    const [, keys] = (typeof value === 'string' && /^\+(\d{1,15}) keys$/.exec(value)) || []
    if (keys !== undefined) this.cutKeys += this.marked(keys)
  }

  private marked(count: string): number {
    this.hasMarker = true
    return Number(count)
  }
}

const closingBracket = 0x5d
const longestMarker = 40

function countOf(value: AnyValue | undefined): number {
  const count =
    typeof value === 'number' ? value : typeof value === 'bigint' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** The largest number of reasons or levels. Reports of this package have a few. */
const maxNames = 100

function addCounts(counts: Map<string, number>, added: AnyValue | undefined): void {
  if (!(added instanceof Map)) return
  for (const [name, count] of added as AnyValueMap) {
    const earlier = counts.get(name)
    if (earlier !== undefined || counts.size < maxNames) counts.set(name, (earlier ?? 0) + countOf(count))
  }
}
