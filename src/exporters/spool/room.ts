import type { OrphanClaim } from './claim-orphans.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import type { DirectoryQuota } from './directory-quota.ts'
import { addMembers } from '../../options/define-member.ts'

/** The segment that is being written. */
interface OpenSegment {
  readonly bytes: number
  /** Whether a line is being written that is not yet part of `bytes`. */
  readonly isBusy: boolean
  seal(): void
}

/** The parts that make room. */
export interface SpoolRoomParts {
  readonly maxBytes: number
  readonly quota: DirectoryQuota
  readonly backlog: SpoolBacklog
  readonly orphanClaim: OrphanClaim
  readonly open: () => OpenSegment
  readonly report: ReportDiagnostic
}

/** Keeps the files of this process, and of all processes together, within their limits by dropping the oldest. */
export class SpoolRoom {
  private readonly parts: SpoolRoomParts

  constructor(parts: SpoolRoomParts) {
    this.parts = parts
  }

  /** Makes room for a number of bytes. Throws the system's error, or EDQUOT if other processes use all the space. */
  make(bytes: number): void {
    const { maxBytes, quota, orphanClaim } = this.parts
    this.dropWhile(
      () => this.used + bytes > maxBytes,
      'the spool has reached maxBytes, so its oldest records were dropped',
    )
    while (!quota.allows(this.used + bytes)) {
      // Files that ended processes left are older than most files of this one.
      if (orphanClaim.dropOne() > 0) continue
      const dropped = this.dropOldest()
      if (dropped === undefined) throw addMembers(new Error(directoryFull), { code: 'EDQUOT' })
      this.reportLost(dropped, `${directoryFull}, so the oldest records of this process were dropped`)
    }
  }

  /** Releases space for processes that have less than an equal share and need it. Throws the system's error. */
  share(): void {
    const { quota, open } = this.parts
    const mostUsed = this.used - quota.excess(this.used)
    this.dropWhile(() => this.used > mostUsed, 'other processes needed space in the spool directory')
    if (!open().isBusy) quota.release(this.used)
  }

  /** The total size of this process's files in bytes. */
  private get used(): number {
    return this.parts.backlog.bytes + this.parts.open().bytes
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

  /** Drops the oldest file. Returns how many records it had, or undefined if there is no file. */
  private dropOldest(): number | undefined {
    const { backlog, open } = this.parts
    if (backlog.head === undefined) open().seal()
    return backlog.head === undefined ? undefined : backlog.drop(backlog.head, 'overflowed')
  }

  private reportLost(records: number, why: string): void {
    if (records > 0) this.parts.report('SLUICE_SPOOL_LOST', `${records} records are lost: ${why}`)
  }
}

const directoryFull = 'the spool directory has reached maxDirectoryBytes'
