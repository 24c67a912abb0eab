import { SpoolBacklog, type SettledRecords, type ReportDiagnostic } from './backlog.ts'
import { OrphanClaim } from './claim-orphans.ts'
import { BaseDirectory } from './base-directory.ts'
import { DirectoryQuota } from './directory-quota.ts'
import type { SpoolFiles } from './files.ts'
import { segmentBytesOf, SpoolWriteLoop, type SpoolLimits, type SpoolPosition } from './write-loop.ts'
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

/** The divisor of the size limits for the space of quarantined data. */
const quarantineShare = 8

/** The maximum number of quarantined pieces per file, so that a file with many damaged pieces does not evict other data. */
const maxQuarantined = 32

/** The limits of a spool. */
export interface StoreLimits extends SpoolLimits {
  /** Whether the group may write to the directory. */
  readonly allowGroupWrite: boolean
}

/** The files of a spool: the segment being written, the queued segments, and those claimed from ended owners. */
export class SpoolStore {
  private readonly files: SpoolFiles
  private readonly limits: StoreLimits
  private readonly report: ReportDiagnostic
  private readonly base: BaseDirectory
  private readonly owner: SpoolOwner
  private readonly backlog: SpoolBacklog
  private readonly intake: SpoolWriteLoop
  private readonly orphanClaim: OrphanClaim
  private readonly room: SpoolRoom

  constructor(files: SpoolFiles, base: string, limits: StoreLimits, report: ReportDiagnostic) {
    this.files = files
    this.limits = limits
    this.report = report
    this.base = new BaseDirectory(files, base, limits.allowGroupWrite, (reason) => this.reportDistrust(reason))
    const owner = (this.owner = new SpoolOwner(files, this.base))
    const backlog = (this.backlog = new SpoolBacklog(files, report))
    const { maxBytes, maxDirectoryBytes } = limits
    // The rest is for quarantined data.
    const maxSegmentBytes = maxDirectoryBytes - maxDirectoryBytes / quarantineShare
    const quota = new DirectoryQuota(owner, maxSegmentBytes, segmentBytesOf(limits))
    this.orphanClaim = new OrphanClaim({ files, owner, backlog, report, next: () => ++this.intake.sequence })
    this.room = new SpoolRoom({
      maxBytes,
      quota,
      backlog,
      orphanClaim: this.orphanClaim,
      open: () => this.intake,
      report,
    })
    this.intake = new SpoolWriteLoop(files, owner, backlog, limits, report, (bytes) => this.room.make(bytes))
  }

  /** Whether no records are queued or being written. */
  get isEmpty(): boolean {
    return this.backlog.length === 0 && this.intake.records === 0 && !this.intake.isBusy
  }

  /** Whether the disk is too slow for a log call to block on it. */
  get isSlow(): boolean {
    return this.intake.isSlow
  }

  get stats(): SpoolStats {
    const { backlog, intake } = this
    return {
      ...backlog.counts,
      waiting: backlog.waiting + intake.records,
      segments: backlog.length + (intake.bytes > 0 ? 1 : 0),
      bytes: backlog.bytes + intake.bytes,
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
    this.adopt()
  }

  /** Claims files of owners that no longer exist, as far as there is room for them. Never throws. */
  adopt(): void {
    if (this.orphanClaim.take((abandoned) => this.hasRoomFor(abandoned)) > 0) this.expire()
  }

  /** Writes a heartbeat, drops expired records, and releases space for other processes. Never throws. */
  beat(): void {
    this.expire()
    try {
      this.room.share()
    } catch {
      // The directory is missing or full. The next line that is written reports it.
    }
    this.owner.heartbeat()
  }

  /** See `SpoolWriteLoop.write`. */
  write(line: SpoolLine, taken: (kept: SpoolPosition) => void): Promise<void> {
    return this.intake.write(line, taken)
  }

  /** See `SpoolWriteLoop.writeSync`. */
  writeSync(line: SpoolLine, taken: (kept: SpoolPosition) => void): void {
    this.intake.writeSync(line, taken)
  }

  /** See `SpoolWriteLoop.settleSync`. */
  settleSync(): void {
    this.intake.settleSync()
  }

  /** Returns the oldest queued file, or undefined if there is none or the only one is being written. */
  head(): Segment | undefined {
    this.expire()
    if (this.backlog.length === 0) this.intake.seal()
    return this.backlog.head
  }

  /** Opens a queued file. Returns undefined if that fails, which is counted and reported. */
  reader(segment: Segment): SegmentReader | undefined {
    try {
      const reader = new SegmentReader(this.files, segment.directory.at(segment.name), segment.from)
      segment.size = Math.max(segment.size, reader.size)
      return reader
    } catch {
      this.backlog.lose(segment)
      return undefined
    }
  }

  /** See `SpoolBacklog.lose`. */
  lose(segment: Segment): void {
    if (!segment.gone) this.backlog.lose(segment)
  }

  /** See `SpoolBacklog.settle`. */
  settle(segment: Segment, settled: SettledRecords): void {
    this.backlog.settle(segment, settled)
  }

  /** See `SpoolBacklog.passed`. */
  passed(segment: Segment, end: number): void {
    this.backlog.passed(segment, end)
  }

  /** See `SpoolBacklog.finish`. */
  finish(segment: Segment): void {
    if (!segment.gone) this.backlog.finish(segment)
  }

  /** See `SpoolBacklog.left`. */
  left(segment: Segment): void {
    if (segment.gone) this.backlog.left(segment)
  }

  /** Counts records that may have arrived twice. */
  doubt(records: number): void {
    this.backlog.counts.maybeDuplicated += records
  }

  /** Quarantines a piece that is wholly or partly unreadable, if there is room for it. */
  quarantine(segment: Segment, { bytes, end }: FilePiece, why = 'cannot be read'): void {
    this.backlog.counts.quarantined++
    segment.quarantined++
    if (segment.quarantined > maxQuarantined) return
    const { sequence, writtenAt } = segment
    const name = `${Math.floor(writtenAt)}-${sequence}-${end}`
    const { maxBytes, maxDirectoryBytes } = this.limits
    const isKept = writeToQuarantine(
      this.files,
      this.base,
      name,
      bytes,
      Math.min(maxBytes, maxDirectoryBytes) / quarantineShare,
    )
    const outcome = isKept ? 'was moved to quarantine' : 'could not be moved to quarantine'
    this.report('SLUICE_SPOOL_DAMAGED', `a piece of a file of the spool ${why}, and ${outcome}`)
  }

  /** Counts and quarantines a line that does not match its checksum. None of its records is delivered. */
  quarantineMismatch(segment: Segment, piece: FilePiece): void {
    this.backlog.counts.checksumFailed++
    this.quarantine(segment, piece, 'does not match its checksum')
  }

  /** Syncs what was written to the disk, if that is required. Never rejects. */
  flush(): Promise<void> {
    return this.intake.flush()
  }

  /** Seals the current segment and releases the directory, so that other processes can claim the queued files. */
  async close(): Promise<void> {
    this.intake.seal()
    await this.intake.flush()
    this.owner.release()
  }

  private expire(): void {
    const now = Date.now()
    this.intake.sealOlder(now)
    let dropped = 0
    for (let { head } = this.backlog; head !== undefined; { head } = this.backlog) {
      if (!(now - head.writtenAt > this.limits.maxAgeMillis)) break
      dropped += this.backlog.drop(head, 'expired')
    }
    if (dropped > 0) this.report('SLUICE_SPOOL_LOST', `${dropped} records are lost: they are older than maxAgeMillis`)
  }

  /** Returns whether an orphaned directory fits. The first one always does, because no process may ever have more room. */
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
