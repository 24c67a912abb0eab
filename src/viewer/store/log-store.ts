import { Templates } from '../../read/templates/templates.ts'
import type { LogHead } from '../otlp/log-head.ts'
import { severityName } from '../../record/severity.ts'
import { levelOfRecord, OtlpRecord, type RecordSource } from '../otlp/otlp-record.ts'
import type { RecordArchive } from './record-archive.ts'
import { Segment, segmentBytes } from './segment.ts'
import { SourceTable } from './source-table.ts'

/** Where a record is. */
export interface RecordPlace {
  readonly segment: Segment
  readonly index: number
}

/** The number of a template when there are too many. */
export const otherTemplate = 0xffff_ffff
const maxTemplates = 10_000

/** Keeps the newest records in memory, as the bytes of OTLP. Each record has a sequence number, from 0. */
export class LogStore {
  readonly sources: SourceTable = new SourceTable()
  readonly templates: Templates = new Templates(maxTemplates)
  /** Receives every record that is added, unless it is kept elsewhere already. */
  archive: RecordArchive | undefined
  readonly maxBytes: number
  private readonly list: Segment[] = []
  private segmentMemory = 0
  /** The memory of the sources when the newest segment was begun, in bytes. */
  private sourceBytesBefore = 0
  private next = 0
  /** A segment that was removed, whose memory is used again. */
  private spare: Segment | undefined

  /** @param maxBytes - the maximum memory of records, in bytes. The newest segment is kept in any case. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** All segments, the oldest first. */
  get segments(): readonly Segment[] {
    return this.list
  }
  /** The sequence number of the oldest record that is kept. */
  get firstSequence(): number {
    return this.list[0]?.first ?? this.next
  }
  /** The sequence number of the next record. */
  get nextSequence(): number {
    return this.next
  }
  /** The number of records. */
  get size(): number {
    return this.next - this.firstSequence
  }
  /** The estimated memory of all records, in bytes. */
  get byteLength(): number {
    return this.segmentMemory + this.sources.byteLength
  }

  /**
   * Adds a record.
   *
   * @param bytes - contains the message of the record, from `start` to `end`
   * @param source - the number of its source
   * @param now - the time of a record without one, in ms since the Unix epoch
   * @param isArchived - whether the archive receives it
   */
  add(
    bytes: Uint8Array,
    start: number,
    end: number,
    source: number,
    head: LogHead,
    now: number,
    isArchived = true,
  ): void {
    if (isArchived && this.archive !== undefined) {
      const { sources, archive, next } = this
      archive.addRecord(next, bytes.subarray(start, end), sources.get(source), sources.keyOf(source), now)
    }
    // First, because a source without records is forgotten when the oldest segment is removed.
    this.sources.addRecord(source)
    const segment = this.segmentFor(end - start)
    const index = segment.count
    const at = segment.length
    segment.bytes.set(bytes.subarray(start, end), at)
    segment.ends[index] = at + end - start
    segment.times[index] = head.time === 0 ? now : head.time
    setLevel(segment, index, head)
    segment.sources[index] = source
    segment.traces[index] = head.traceHash
    segment.templates[index] = this.templateOf(head)
    segment.count++
    this.next++
  }

  /** Removes the newest records, which no view has read yet. */
  removeFrom(sequence: number): void {
    for (let last = this.list.at(-1); last !== undefined && this.next > sequence; last = this.list.at(-1)) {
      const kept = Math.max(0, sequence - last.first)
      for (let index = kept; index < last.count; index++) this.sources.removeRecord(last.sources[index]!)
      this.next = last.first + kept
      last.count = kept
      if (kept > 0) return
      this.list.pop()
      this.segmentMemory -= last.byteLength
    }
  }

  /** Returns where a record is; undefined if it was removed, or does not exist yet. */
  placeOf(sequence: number): RecordPlace | undefined {
    const { list } = this
    let low = 0
    let high = list.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (list[middle]!.first <= sequence) low = middle
      else high = middle - 1
    }
    const segment = list[low]
    const index = segment === undefined ? -1 : sequence - segment.first
    return index >= 0 && index < segment!.count ? { segment: segment!, index } : undefined
  }

  /** Returns a record whose bytes stay valid until records are added. */
  readAt(segment: Segment, index: number): OtlpRecord {
    const bytes = segment.bytes.subarray(segment.startOf(index), segment.ends[index])
    return new OtlpRecord(bytes, this.sourceAt(segment, index))
  }

  sourceAt(segment: Segment, index: number): RecordSource {
    return this.sources.get(segment.sources[index]!)
  }

  private templateOf({ text, isTemplate }: LogHead): number {
    const template =
      text === undefined || isTemplate ? this.templates.ofTemplate(text ?? '') : this.templates.ofMessage(text)
    return template?.id ?? otherTemplate
  }

  private segmentFor(bytes: number): Segment {
    const last = this.list.at(-1)
    // Records with many different resources need more memory for these than for their own bytes.
    const sourceBytes = this.sources.byteLength - this.sourceBytesBefore
    if (last?.hasRoomFor(bytes) === true && sourceBytes < segmentBytes) return last
    const segment = bytes <= segmentBytes ? (this.spare ?? new Segment()) : new Segment(bytes)
    if (segment === this.spare) this.spare = undefined
    segment.first = this.next
    segment.count = 0
    this.list.push(segment)
    this.segmentMemory += segment.byteLength
    while (this.byteLength > this.maxBytes && this.list.length > 1) this.removeOldest()
    this.sourceBytesBefore = this.sources.byteLength
    return segment
  }

  private removeOldest(): void {
    const segment = this.list.shift()!
    this.segmentMemory -= segment.byteLength
    for (let index = 0; index < segment.count; index++) this.sources.removeRecord(segment.sources[index]!)
    if (segment.bytes.length === segmentBytes) this.spare = segment
  }
}

function setLevel(
  { severities, customLevels }: Segment,
  index: number,
  { severityNumber, severityText }: LogHead,
): void {
  if (severityText === undefined) {
    severities[index] = severityNumber
    customLevels[index] = 0
    return
  }
  const level = levelOfRecord(severityText, severityNumber)
  severities[index] = level.severityNumber
  customLevels[index] = level.name === (level.severityNumber === 0 ? '' : severityName(level.severityNumber)) ? 0 : 1
}
