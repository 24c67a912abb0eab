import { lostRecordsText } from '../../options/counted.ts'
import { SpoolBacklog, type SettledRecords, type ReportDiagnostic } from './backlog.ts'
import { OrphanClaim } from './claim-orphans.ts'
import { BaseDirectory } from './base-directory.ts'
import { DirectoryQuota } from './directory-quota.ts'
import type { SpoolFileSystem } from './files.ts'
import { segmentBytesOf, SpoolWriter, type SpoolLimits, type StoredLine } from './write-loop.ts'
import type { SpoolLine } from './lines.ts'
import { SpoolOwner, type Orphan } from './owner.ts'
import type { FilePiece } from './pieces.ts'
import { SpoolRoom } from './room.ts'
import { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import { writeToQuarantine } from './quarantine.ts'
import type { SpoolStats } from './stats.ts'
import { errorCode } from '../fd/write-errors.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'

/** Quarantined data uses at most the smaller one of the size limits, divided by this. */
const quarantineDivisor = 8

/** The maximum number of pieces of a file that are quarantined, so that one damaged file does not evict the pieces of all others. */
const maxQuarantinedPieces = 32

/** The limits of a spool. */
export interface StoreLimits extends SpoolLimits {
  /** Whether the group may write to the directory. */
  readonly allowGroupWrite: boolean
}

/** The files of a spool: the segment being written, the queued segments, and those claimed from ended owners. */
export class SpoolStore {
  private readonly files: SpoolFileSystem
  private readonly limits: StoreLimits
  private readonly report: ReportDiagnostic
  private readonly base: BaseDirectory
  private readonly owner: SpoolOwner
  private readonly backlog: SpoolBacklog
  private readonly writer: SpoolWriter
  private readonly orphanClaim: OrphanClaim
  private readonly room: SpoolRoom

  constructor(files: SpoolFileSystem, basePath: string, limits: StoreLimits, report: ReportDiagnostic) {
    this.files = files
    this.limits = limits
    this.report = report
    this.base = new BaseDirectory(files, basePath, limits.allowGroupWrite, (reason) => this.reportDistrust(reason))
    const owner = (this.owner = new SpoolOwner(files, this.base))
    const backlog = (this.backlog = new SpoolBacklog(files, report))
    const { maxBytes, maxDirectoryBytes } = limits
    // The rest of `maxDirectoryBytes` is for quarantined data.
    const maxSegmentsBytes = Math.floor(maxDirectoryBytes - maxDirectoryBytes / quarantineDivisor)
    const quota = new DirectoryQuota(owner, maxSegmentsBytes, segmentBytesOf(limits))
    this.orphanClaim = new OrphanClaim({
      files,
      owner,
      backlog,
      report,
      nextSequence: () => ++this.writer.lastSequence,
    })
    this.room = new SpoolRoom({
      maxBytes,
      quota,
      backlog,
      orphanClaim: this.orphanClaim,
      currentSegment: () => this.writer,
      report,
    })
    this.writer = new SpoolWriter(files, owner, backlog, limits, report, (bytes) => this.room.makeRoom(bytes))
  }

  /** Whether no records are queued or being written. */
  get isEmpty(): boolean {
    return this.backlog.segmentCount === 0 && this.writer.records === 0 && !this.writer.isBusy
  }

  /** Whether the disk is too slow for a log call to block on it. */
  get isSlow(): boolean {
    return this.writer.isSlow
  }

  get stats(): SpoolStats {
    const { backlog, writer } = this
    return {
      ...backlog.counts,
      waiting: backlog.queuedRecords + writer.records,
      segments: backlog.segmentCount + (writer.bytes > 0 ? 1 : 0),
      bytes: backlog.bytes + writer.bytes,
    }
  }

  /** Creates the directory if it is missing, and claims orphaned files in it. Never throws. */
  open(): void {
    try {
      this.base.open()
    } catch (error) {
      if (error instanceof UntrustedPathError) this.reportDistrust(error.message)
      else this.reportFailure('create its directory', error)
      return
    }
    this.claimOrphans()
  }

  /** Claims directories of ended owners, as far as there is room for them. Never throws. */
  claimOrphans(): void {
    if (this.orphanClaim.claim((orphan) => this.hasRoomFor(orphan)) > 0) this.expire()
  }

  /** Drops expired records, releases space for other processes, and writes a heartbeat. Never throws. */
  maintain(): void {
    this.expire()
    try {
      this.room.releaseForOthers()
    } catch {
      // The directory is missing or full. The next line that is written reports it.
    }
    this.owner.heartbeat()
  }

  /** See `SpoolWriter.write`. */
  write(line: SpoolLine, onWritten: (stored: StoredLine) => void): Promise<void> {
    return this.writer.write(line, onWritten)
  }

  /** See `SpoolWriter.writeSync`. */
  writeSync(line: SpoolLine, onWritten: (stored: StoredLine) => void): void {
    this.writer.writeSync(line, onWritten)
  }

  /** See `SpoolWriter.completeWriteSync`. */
  completeWriteSync(): void {
    this.writer.completeWriteSync()
  }

  /**
   * Drops expired files, and returns the oldest queued file. If none is queued, seals and returns the current segment. Returns
   * undefined if no segment has records, or while a line of the current one is being written.
   */
  head(): Segment | undefined {
    this.expire()
    if (this.backlog.segmentCount === 0) this.writer.seal()
    return this.backlog.head
  }

  /** Opens a queued file. Returns undefined if that fails, which is counted and reported. */
  openReader(segment: Segment): SegmentReader | undefined {
    try {
      const reader = new SegmentReader(this.files, segment.directory.pathOf(segment.name), segment.readOffset)
      segment.size = Math.max(segment.size, reader.size)
      return reader
    } catch {
      this.backlog.lose(segment)
      return undefined
    }
  }

  /** See `SpoolBacklog.lose`. Does nothing if the segment was removed. */
  lose(segment: Segment): void {
    if (!segment.isGone) this.backlog.lose(segment)
  }

  /** See `SpoolBacklog.settle`. */
  settle(segment: Segment, settled: SettledRecords): void {
    this.backlog.settle(segment, settled)
  }

  /** See `SpoolBacklog.advanceTo`. */
  advanceTo(segment: Segment, end: number): void {
    this.backlog.advanceTo(segment, end)
  }

  /** See `SpoolBacklog.finish`. Does nothing if the segment was removed. */
  finish(segment: Segment): void {
    if (!segment.isGone) this.backlog.finish(segment)
  }

  /** See `SpoolBacklog.countDroppedRecords`. Does nothing while the segment is queued. */
  countDroppedRecords(segment: Segment): void {
    if (segment.isGone) this.backlog.countDroppedRecords(segment)
  }

  /** Counts records that may have arrived twice. */
  countMaybeDuplicated(records: number): void {
    this.backlog.counts.maybeDuplicated += records
  }

  /**
   * Counts, quarantines and reports a piece that is wholly or partly unreadable. After the first `maxQuarantinedPieces` of a file, pieces
   * are only counted.
   */
  quarantine(segment: Segment, { bytes, end }: FilePiece, why = 'cannot be read'): void {
    this.backlog.counts.quarantined++
    segment.quarantinedPieces++
    if (segment.quarantinedPieces > maxQuarantinedPieces) return
    const { sequence, writtenAt } = segment
    const name = `${Math.floor(writtenAt)}-${sequence}-${end}`
    const { maxBytes, maxDirectoryBytes } = this.limits
    const isQuarantined = writeToQuarantine(
      this.files,
      this.base,
      name,
      bytes,
      Math.min(maxBytes, maxDirectoryBytes) / quarantineDivisor,
    )
    const outcome = isQuarantined ? 'was moved to quarantine' : 'could not be moved to quarantine'
    this.report('SLUICE_SPOOL_DAMAGED', `a piece of a file of the spool ${why}, and ${outcome}`)
  }

  /** Counts and quarantines a line that does not match its checksum. */
  quarantineMismatch(segment: Segment, piece: FilePiece): void {
    this.backlog.counts.checksumFailed++
    this.quarantine(segment, piece, 'does not match its checksum')
  }

  /** Syncs what was written to the disk, if that is required. Never rejects. */
  flush(): Promise<void> {
    return this.writer.flush()
  }

  /** Seals the current segment and releases the directory, so that other processes can claim the queued files. */
  async close(): Promise<void> {
    this.writer.seal()
    await this.writer.flush()
    this.owner.release()
  }

  /** Seals the current segment if it is old, and drops queued files whose last record is older than `maxAgeMillis`. */
  private expire(): void {
    const now = Date.now()
    this.writer.sealIfOld(now)
    let dropped = 0
    for (let { head } = this.backlog; head !== undefined; { head } = this.backlog) {
      if (!(now - head.writtenAt > this.limits.maxAgeMillis)) break
      dropped += this.backlog.drop(head, 'expired')
    }
    if (dropped > 0) this.report('SLUICE_SPOOL_LOST', `${lostRecordsText(dropped)}: older than maxAgeMillis`)
  }

  /**
   * Returns whether an orphaned directory fits in this spool. Any directory fits in an empty spool, because otherwise no process
   * might ever claim a large one.
   */
  private hasRoomFor({ bytes }: Orphan): boolean {
    const { stats } = this
    return stats.bytes === 0 || stats.bytes + bytes <= this.limits.maxBytes
  }

  private reportDistrust(reason: string): void {
    this.report('SLUICE_PATH_UNTRUSTED', `a directory of the spool is not used: ${reason}`)
  }

  private reportFailure(what: string, error: unknown): void {
    this.report('SLUICE_SPOOL_FAILED', `the spool cannot ${what} (${errorCode(error)})`)
  }
}
