import type { SpoolFiles } from './files.ts'
import { noCounts, type SpoolCounts } from './stats.ts'
import { sealedName, type Loss, type Segment } from './segments.ts'
import { errorCode } from '../fd/write-errors.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Tells trouble. */
export type ReportDiagnostic = (code: string, message: string) => void

/** What an answer, or a reader, says of records of a segment. */
export interface Settled {
  readonly replayed?: number
  readonly rejected?: number
  readonly corrupt?: number
}

/**
 * The files that wait, oldest first, and the count of all that ever did.
 *
 * Invariant: `spooled = replayed + expired + corrupt` and what `waiting` says, after each call. How many records a file has
 * is what its name says, until it was read: what is then missing was damaged, and what is more is counted as found.
 */
export class SpoolBacklog {
  readonly counts: SpoolCounts = noCounts()
  private readonly files: SpoolFiles
  private readonly report: ReportDiagnostic
  private readonly segments: Segment[] = []
  /** Dropped ones of which the destination has a batch. */
  private readonly leaving = new Set<Segment>()

  constructor(files: SpoolFiles, report: ReportDiagnostic) {
    this.files = files
    this.report = report
  }

  get length(): number {
    return this.segments.length
  }

  /** What the files take. */
  get bytes(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0)
  }

  get waiting(): number {
    return [...this.segments, ...this.leaving].reduce((sum, { records }) => sum + records, 0)
  }

  /** The oldest one. */
  get head(): Segment | undefined {
    return this.segments.at(0)
  }

  /** Takes a full file, whose records are counted already. */
  add(segment: Segment): void {
    this.segments.push(segment)
  }

  /** Counts records that the destination has answered, or that were damaged. */
  settle(segment: Segment, settled: Settled): void {
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

  /** All up to `end` has its answer: whoever reads the file next begins there. */
  passed(segment: Segment, end: number): void {
    if (segment.gone) return
    if (end >= segment.size) return this.finish(segment)
    segment.from = end
    const name = sealedName(segment)
    try {
      this.files.renameSync(segment.directory.at(segment.name), segment.directory.at(name))
      segment.name = name
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return this.lose(segment)
      this.report(
        'SLUICE_SPOOL_FAILED',
        `cannot note what was replayed (${errorCode(error)}); it may be replayed again`,
      )
    }
  }

  /** It was read to its end: what it should have held besides was damaged. */
  finish(segment: Segment): void {
    const { records } = segment
    this.settle(segment, { corrupt: records })
    if (records > 0) this.report('SLUICE_SPOOL_LOST', `${records} records are lost: their lines were damaged on disk`)
    this.remove(segment)
  }

  /** Drops it unsent. Returns how many records that are. */
  drop(segment: Segment, why: Extract<Loss, 'expired' | 'overflowed'>): number {
    return this.takeOut(segment, why)
  }

  /** Counts records that were found and cannot be read. */
  countMissing(records: number): void {
    this.counts.spooled += records
    this.count('missing', records)
  }

  /** It cannot be read, or is not there any more. */
  lose(segment: Segment): void {
    const records = this.takeOut(segment, 'missing')
    this.report('SLUICE_SPOOL_LOST', `${records} records are lost: a file of the spool is gone, or cannot be read`)
  }

  /** What a dropped file's last batch has come to where the destination did not take it. */
  left(segment: Segment): void {
    if (segment.inFlight > 0) return
    if (segment.lost !== undefined) this.count(segment.lost, segment.records)
    segment.records = 0
    this.leaving.delete(segment)
  }

  private takeOut(segment: Segment, why: Loss): number {
    const records = segment.records - segment.inFlight
    this.count(why, records)
    this.remove(segment)
    segment.records -= records
    segment.lost = why
    if (segment.inFlight > 0) this.leaving.add(segment)
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
      this.report('SLUICE_SPOOL_FAILED', `cannot remove a file of the spool (${errorCode(error)})`)
    }
  }
}
