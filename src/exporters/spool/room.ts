import { lostRecordsText } from '../../options/counted.ts'
import type { OrphanClaim } from './claim-orphans.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import type { DirectoryQuota } from './directory-quota.ts'
import { addMembers } from '../../options/define-member.ts'

/** The segment that is being written. */
interface CurrentSegment {
  readonly bytes: number
  /** Whether a line is being written that is not yet part of `bytes`. */
  readonly isBusy: boolean
  seal(): void
}

/** The objects and limits that a `SpoolRoom` uses. */
export interface SpoolRoomParts {
  readonly maxBytes: number
  readonly quota: DirectoryQuota
  readonly backlog: SpoolBacklog
  readonly orphanClaim: OrphanClaim
  /** Returns the segment that is being written. It is a function, because that segment's writer also uses the `SpoolRoom`. */
  readonly currentSegment: () => CurrentSegment
  readonly report: ReportDiagnostic
}

/** Keeps the files of this process, and of all processes together, within their limits by dropping the oldest. */
export class SpoolRoom {
  private readonly parts: SpoolRoomParts

  constructor(parts: SpoolRoomParts) {
    this.parts = parts
  }

  /**
   * Makes room for a number of bytes. Throws the system's error, or EDQUOT if the directory is full and neither this process nor an
   * ended one has a file that can be dropped.
   */
  makeRoom(bytes: number): void {
    const { maxBytes, quota, orphanClaim } = this.parts
    this.dropWhile(
      () => this.usedBytes + bytes > maxBytes,
      'the spool has reached maxBytes, so its oldest records were dropped',
    )
    while (!quota.tryReserve(this.usedBytes + bytes)) {
      // Files of ended processes are usually older than those of this one.
      if (orphanClaim.dropOneOrphan() > 0) continue
      const dropped = this.dropOldest()
      if (dropped === undefined) throw addMembers(new Error(directoryFullMessage), { code: 'EDQUOT' })
      this.reportLost(dropped, `${directoryFullMessage}, so the oldest records of this process were dropped`)
    }
  }

  /** Releases space for processes that need it, but keeps an equal share. Throws the system's error. */
  releaseForOthers(): void {
    const { quota, currentSegment } = this.parts
    const maxUsedBytes = this.usedBytes - quota.excessBytes(this.usedBytes)
    this.dropWhile(() => this.usedBytes > maxUsedBytes, 'other processes needed space in the spool directory')
    if (!currentSegment().isBusy) quota.release(this.usedBytes)
  }

  /** The total size of this process's files in bytes. */
  private get usedBytes(): number {
    return this.parts.backlog.bytes + this.parts.currentSegment().bytes
  }

  private dropWhile(isNeeded: () => boolean, why: string): void {
    let dropped = 0
    while (isNeeded()) {
      const records = this.dropOldest()
      if (records === undefined) break
      dropped += records
    }
    this.reportLost(dropped, why)
  }

  /** Drops the oldest file. Returns how many records are lost, or undefined if there is no file that can be dropped. */
  private dropOldest(): number | undefined {
    const { backlog, currentSegment } = this.parts
    if (backlog.head === undefined) currentSegment().seal()
    return backlog.head === undefined ? undefined : backlog.drop(backlog.head, 'overflowed')
  }

  private reportLost(records: number, why: string): void {
    if (records > 0) this.parts.report('SLUICE_SPOOL_LOST', `${lostRecordsText(records)}: ${why}`)
  }
}

const directoryFullMessage = 'the spool directory has reached maxDirectoryBytes'
