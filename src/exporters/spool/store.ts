import { SpoolBacklog, type Settled, type ReportDiagnostic } from './backlog.ts'
import { OrphanClaim } from './claim-orphans.ts'
import { BaseDirectory } from './base-directory.ts'
import { DirectoryQuota } from './directory-quota.ts'
import type { SpoolFiles } from './files.ts'
import { segmentBytesOf, SpoolWriteLoop, type SpoolLimits, type SpoolPosition } from './intake.ts'
import type { SpoolLine } from './lines.ts'
import { SpoolOwner, type Orphan } from './owner.ts'
import type { Piece } from './pieces.ts'
import { SpoolRoom } from './room.ts'
import { SegmentReader } from './segment-reader.ts'
import type { Segment } from './segments.ts'
import { quarantine } from './quarantine.ts'
import type { SpoolStats } from './stats.ts'
import { errorCode } from '../fd/write-errors.ts'
import { UntrustedPathError } from '../../platform/node/path-trust.ts'

/** What is set aside may take this share of what may wait. */
const setAsideShare = 8

/** So many pieces of a file are kept; somebody who has made more of them has not lost anything. */
const mostSetAside = 32

/** What a spool may use. */
export interface StoreLimits extends SpoolLimits {
  /** The group of the directory may write to it. */
  readonly allowGroupWrite: boolean
}

/** The files of a spool: what comes in, what waits, and what is found of others that have ended. */
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
    this.base = new BaseDirectory(files, base, limits.allowGroupWrite, (reason) => this.distrusted(reason))
    const owner = (this.owner = new SpoolOwner(files, this.base))
    const backlog = (this.backlog = new SpoolBacklog(files, report))
    const { maxBytes, maxDirectoryBytes } = limits
    // What is set aside has the rest.
    const maxSegmentBytes = maxDirectoryBytes - maxDirectoryBytes / setAsideShare
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

  /** Nothing waits, and nothing is about to. */
  get isEmpty(): boolean {
    return this.backlog.length === 0 && this.intake.records === 0 && !this.intake.isBusy
  }

  /** The disk does not keep up: no call may wait for it. */
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

  /** Makes the directory where it is missing, and takes over what waits there for nobody. Never throws. */
  open(): void {
    try {
      this.base.open()
    } catch (error) {
      if (error instanceof UntrustedPathError) this.distrusted(error.message)
      else this.reportFailure('make its directory', error)
      return
    }
    this.adopt()
  }

  /** Takes over what owners have left behind that are gone, as far as there is room for it. Never throws. */
  adopt(): void {
    if (this.orphanClaim.take((abandoned) => this.hasRoomFor(abandoned)) > 0) this.expire()
  }

  /** Shows that this process is alive, drops what is too old, and shares its room. Never throws. */
  beat(): void {
    this.expire()
    try {
      this.room.share()
    } catch {
      // The directory is gone or full: the next line that is to be written tells it.
    }
    this.owner.beat()
  }

  /** See `SpoolIntake.write`. */
  write(line: SpoolLine, taken: (kept: SpoolPosition) => void): Promise<void> {
    return this.intake.write(line, taken)
  }

  /** See `SpoolIntake.writeSync`. */
  writeSync(line: SpoolLine, taken: (kept: SpoolPosition) => void): void {
    this.intake.writeSync(line, taken)
  }

  /** See `SpoolIntake.settleSync`. */
  settleSync(): void {
    this.intake.settleSync()
  }

  /** The oldest file that waits; undefined where there is none, or what there is is being written. */
  head(): Segment | undefined {
    this.expire()
    if (this.backlog.length === 0) this.intake.seal()
    return this.backlog.head
  }

  /** Opens a file that waits; undefined where that cannot be, which is counted and told. */
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
  settle(segment: Segment, settled: Settled): void {
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

  /** Keeps a piece that cannot be read, in whole or in part, where it does not stand in the way. */
  setAside(segment: Segment, { bytes, end }: Piece, why = 'cannot be read'): void {
    this.backlog.counts.setAside++
    segment.setAside++
    if (segment.setAside > mostSetAside) return
    const { sequence, writtenAt } = segment
    const name = `${Math.floor(writtenAt)}-${sequence}-${end}`
    const { maxBytes, maxDirectoryBytes } = this.limits
    const isKept = quarantine(this.files, this.base, name, bytes, Math.min(maxBytes, maxDirectoryBytes) / setAsideShare)
    const outcome = isKept ? 'was set aside' : 'could not be set aside'
    this.report('SLUICE_SPOOL_DAMAGED', `a piece of a file of the spool ${why}, and ${outcome}`)
  }

  /** Counts a line that does not match its checksum, and keeps it. None of its records is delivered. */
  setAsideMismatch(segment: Segment, piece: Piece): void {
    this.backlog.counts.checksumFailed++
    this.setAside(segment, piece, 'does not match its checksum')
  }

  /** Puts what was written onto the disk, where that was asked for. Never rejects. */
  flush(): Promise<void> {
    return this.intake.flush()
  }

  /** Leaves what waits to whoever comes. */
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
    if (dropped > 0)
      this.report('SLUICE_SPOOL_LOST', `${dropped} records are lost: they waited longer than maxAgeMillis`)
  }

  /** One is taken in any case: nobody else may ever have more room. */
  private hasRoomFor({ bytes }: Orphan): boolean {
    const { stats } = this
    return stats.bytes === 0 || stats.bytes + bytes <= this.limits.maxBytes
  }

  private distrusted(reason: string): void {
    this.report('SLUICE_PATH_UNTRUSTED', `a directory of the spool is not used: ${reason}`)
  }

  private reportFailure(what: string, error: unknown): void {
    this.report('SLUICE_SPOOL_FAILED', `the spool cannot ${what} (${errorCode(error)})`)
  }
}
