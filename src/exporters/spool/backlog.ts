import { lostRecordsText } from '../../options/counted.ts'
import type { SpoolFileSystem } from './files.ts'
import { newSpoolCounts, type SpoolCounts } from './stats.ts'
import { sealedSegmentName, type LossReason, type Segment } from './segments.ts'
import { errorCode } from '../fd/write-errors.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Reports a diagnostic. */
export type ReportDiagnostic = (code: string, message: string) => void

/** How many records of a segment were settled. `corrupt` ones are damaged or missing in the file. */
export interface SettledRecords {
  /** Sent and not rejected. The count `replayed` also includes `rejected`. */
  readonly accepted?: number
  /** Rejected by the destination, or dropped after repeated failures of the exporter. */
  readonly rejected?: number
  readonly corrupt?: number
}

/**
 * The queued files, oldest first, and the counts of all records ever queued.
 *
 * Invariant: after each call, `spooled` equals `replayed + expired + corrupt` plus the number of queued records, including those
 * of the segment that is being written. How many records a file has is known from its name, or was counted if it was unfinished.
 * If fewer are found when it is read, the missing ones count as `corrupt`; additional ones are added to `spooled`.
 */
export class SpoolBacklog {
  readonly counts: SpoolCounts = newSpoolCounts()
  private readonly files: SpoolFileSystem
  private readonly report: ReportDiagnostic
  private readonly segments: Segment[] = []
  /** Dropped segments that still have a batch in flight. */
  private readonly droppedInFlight = new Set<Segment>()

  constructor(files: SpoolFileSystem, report: ReportDiagnostic) {
    this.files = files
    this.report = report
  }

  /** The number of queued segments. */
  get segmentCount(): number {
    return this.segments.length
  }

  /** The total size of the files in bytes. */
  get bytes(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0)
  }

  /** The number of queued records, including those of dropped segments that are in flight. */
  get queuedRecords(): number {
    return [...this.segments, ...this.droppedInFlight].reduce((sum, { records }) => sum + records, 0)
  }

  /** The oldest segment. */
  get head(): Segment | undefined {
    return this.segments.at(0)
  }

  /** Adds a completed file as the newest. Its records must already be counted in `spooled`. */
  add(segment: Segment): void {
    this.segments.push(segment)
  }

  /** Counts settled records. */
  settle(segment: Segment, settled: SettledRecords): void {
    const { counts } = this
    const { accepted = 0, rejected = 0, corrupt = 0 } = withoutPrototype(settled)
    counts.replayed += accepted + rejected
    counts.rejected += rejected
    counts.corrupt += corrupt
    segment.records -= accepted + rejected + corrupt
    // The file had more records than its name states.
    if (segment.records < 0) {
      counts.spooled -= segment.records
      segment.records = 0
    }
    if (segment.isGone) this.countDroppedRecords(segment)
  }

  /** Writes into the file's name that everything before byte `end` is settled. A segment that ends there is removed. */
  advanceTo(segment: Segment, end: number): void {
    if (segment.isGone) return
    if (end >= segment.size) return this.finish(segment)
    segment.readOffset = end
    const name = sealedSegmentName(segment)
    try {
      this.files.renameSync(segment.directory.pathOf(segment.name), segment.directory.pathOf(name))
      segment.name = name
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return this.lose(segment)
      this.report(
        'SLUICE_SPOOL_FAILED',
        `the spool cannot save its read position (${errorCode(error)}); records may be sent again`,
      )
    }
  }

  /** Removes a segment that was read to its end. If it had fewer records than its name states, the missing ones count as `corrupt`. */
  finish(segment: Segment): void {
    const { records } = segment
    this.settle(segment, { corrupt: records })
    if (records > 0)
      this.report('SLUICE_SPOOL_LOST', `${lostRecordsText(records)}: a file of the spool has damaged lines`)
    this.remove(segment)
  }

  /** Drops a segment. Returns how many records are lost: all that are not in flight. */
  drop(segment: Segment, why: Extract<LossReason, 'expired' | 'overflowed'>): number {
    return this.removeAndCount(segment, why)
  }

  /** Counts the records of a file that was found but is not read as `missing`, because they are lost. */
  countUnreadFile(records: number): void {
    this.counts.spooled += records
    this.count('missing', records)
  }

  /** Removes a segment that cannot be read or no longer exists. */
  lose(segment: Segment): void {
    const records = this.removeAndCount(segment, 'missing')
    this.report('SLUICE_SPOOL_LOST', `${lostRecordsText(records)}: a file of the spool is missing or cannot be read`)
  }

  /** Counts the remaining records of a dropped segment as lost, unless a batch of it is still in flight. */
  countDroppedRecords(segment: Segment): void {
    if (segment.recordsInFlight > 0) return
    if (segment.lossReason !== undefined) this.count(segment.lossReason, segment.records)
    segment.records = 0
    this.droppedInFlight.delete(segment)
  }

  /** Removes a segment and counts its records that are not in flight as lost. Returns how many these are. */
  private removeAndCount(segment: Segment, why: LossReason): number {
    const records = segment.records - segment.recordsInFlight
    this.count(why, records)
    this.remove(segment)
    segment.records -= records
    segment.lossReason = why
    if (segment.recordsInFlight > 0) this.droppedInFlight.add(segment)
    return records
  }

  /** `overflowed` is a part of `expired`, and `missing` a part of `corrupt`, so these records are added to both counts. */
  private count(why: LossReason, records: number): void {
    this.counts[why === 'missing' ? 'corrupt' : 'expired'] += records
    if (why !== 'expired') this.counts[why] += records
  }

  private remove(segment: Segment): void {
    segment.isGone = true
    const index = this.segments.indexOf(segment)
    if (index >= 0) this.segments.splice(index, 1)
    try {
      this.files.unlinkSync(segment.directory.pathOf(segment.name))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      this.report('SLUICE_SPOOL_FAILED', `the spool cannot delete a file (${errorCode(error)})`)
    }
  }
}
