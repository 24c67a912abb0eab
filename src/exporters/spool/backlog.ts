import type { SpoolFiles } from './files.ts'
import { noCounts, type SpoolCounts } from './stats.ts'
import { sealedSegmentName, type Loss, type Segment } from './segments.ts'
import { errorCode } from '../fd/write-errors.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Reports a diagnostic. */
export type ReportDiagnostic = (code: string, message: string) => void

/** The records of a segment that a response or a reader has settled. */
export interface SettledRecords {
  readonly replayed?: number
  readonly rejected?: number
  readonly corrupt?: number
}

/**
 * The queued files, oldest first, and the counts of all records ever queued.
 *
 * Invariant: `spooled` equals `replayed + expired + corrupt` plus `waiting` after each call. Until a file is read, its name
 * determines how many records it has. Records that are then missing were damaged, and additional ones are counted as found.
 */
export class SpoolBacklog {
  readonly counts: SpoolCounts = noCounts()
  private readonly files: SpoolFiles
  private readonly report: ReportDiagnostic
  private readonly segments: Segment[] = []
  /** Dropped segments that still have a batch in flight. */
  private readonly droppedInFlight = new Set<Segment>()

  constructor(files: SpoolFiles, report: ReportDiagnostic) {
    this.files = files
    this.report = report
  }

  get length(): number {
    return this.segments.length
  }

  /** The total size of the files in bytes. */
  get bytes(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0)
  }

  get waiting(): number {
    return [...this.segments, ...this.droppedInFlight].reduce((sum, { records }) => sum + records, 0)
  }

  /** The oldest segment. */
  get head(): Segment | undefined {
    return this.segments.at(0)
  }

  /** Adds a full file whose records are already counted. */
  add(segment: Segment): void {
    this.segments.push(segment)
  }

  /** Counts records that the destination has answered or that were damaged. */
  settle(segment: Segment, settled: SettledRecords): void {
    const { counts } = this
    const { replayed = 0, rejected = 0, corrupt = 0 } = ownCopy(settled)
    counts.replayed += replayed + rejected
    counts.rejected += rejected
    counts.corrupt += corrupt
    segment.records -= replayed + rejected + corrupt
    if (segment.records < 0) {
      counts.spooled -= segment.records
      segment.records = 0
    }
    if (segment.gone) this.left(segment)
  }

  /** Marks everything up to `end` as settled: the next reader of the file starts there. */
  passed(segment: Segment, end: number): void {
    if (segment.gone) return
    if (end >= segment.size) return this.finish(segment)
    segment.from = end
    const name = sealedSegmentName(segment)
    try {
      this.files.renameSync(segment.directory.at(segment.name), segment.directory.at(name))
      segment.name = name
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return this.lose(segment)
      this.report(
        'SLUICE_SPOOL_FAILED',
        `the spool cannot save its read position (${errorCode(error)}); records may be sent again`,
      )
    }
  }

  /** Removes a segment that was read to its end. Records that it should have contained count as damaged. */
  finish(segment: Segment): void {
    const { records } = segment
    this.settle(segment, { corrupt: records })
    if (records > 0)
      this.report('SLUICE_SPOOL_LOST', `${records} records are lost: their lines in a file of the spool are damaged`)
    this.remove(segment)
  }

  /** Drops a segment without sending it. Returns how many records it had. */
  drop(segment: Segment, why: Extract<Loss, 'expired' | 'overflowed'>): number {
    return this.removeAndCount(segment, why)
  }

  /** Counts records that were found but cannot be read. */
  countMissing(records: number): void {
    this.counts.spooled += records
    this.count('missing', records)
  }

  /** Removes a segment that cannot be read or no longer exists. */
  lose(segment: Segment): void {
    const records = this.removeAndCount(segment, 'missing')
    this.report('SLUICE_SPOOL_LOST', `${records} records are lost: a file of the spool is missing or cannot be read`)
  }

  /** Counts the remaining records of a dropped segment once its last batch is no longer in flight. */
  left(segment: Segment): void {
    if (segment.inFlight > 0) return
    if (segment.lost !== undefined) this.count(segment.lost, segment.records)
    segment.records = 0
    this.droppedInFlight.delete(segment)
  }

  private removeAndCount(segment: Segment, why: Loss): number {
    const records = segment.records - segment.inFlight
    this.count(why, records)
    this.remove(segment)
    segment.records -= records
    segment.lost = why
    if (segment.inFlight > 0) this.droppedInFlight.add(segment)
    return records
  }

  private count(why: Loss, records: number): void {
    this.counts[why === 'missing' ? 'corrupt' : 'expired'] += records
    if (why !== 'expired') this.counts[why] += records
  }

  private remove(segment: Segment): void {
    segment.gone = true
    const index = this.segments.indexOf(segment)
    if (index >= 0) this.segments.splice(index, 1)
    try {
      this.files.unlinkSync(segment.directory.at(segment.name))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      this.report('SLUICE_SPOOL_FAILED', `the spool cannot delete a file (${errorCode(error)})`)
    }
  }
}
