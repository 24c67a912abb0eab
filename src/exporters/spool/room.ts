import type { OrphanClaim } from './claim-orphans.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import type { DirectoryQuota } from './directory-quota.ts'
import { addMembers } from '../../options/define-member.ts'

/** The segment that is being written. */
interface OpenSegment {
  readonly bytes: number
  /** A line is on its way, and not yet part of `bytes`. */
  readonly isBusy: boolean
  seal(): void
}

/** What room is made of. */
export interface RoomParts {
  readonly maxBytes: number
  readonly quota: DirectoryQuota
  readonly backlog: SpoolBacklog
  readonly orphanClaim: OrphanClaim
  readonly open: () => OpenSegment
  readonly report: ReportDiagnostic
}

/** Keeps the files of a process, and of all processes together, within their bounds: the oldest ones are dropped. */
export class SpoolRoom {
  private readonly parts: RoomParts

  constructor(parts: RoomParts) {
    this.parts = parts
  }

  /** Makes room for so many bytes. Throws what the system says, EDQUOT where other processes have all the room. */
  make(bytes: number): void {
    const { maxBytes, quota, orphanClaim } = this.parts
    this.dropWhile(() => this.used + bytes > maxBytes, 'the spool has reached maxBytes, and dropped its oldest')
    while (!quota.allows(this.used + bytes)) {
      // What processes left behind is older than most of what this one has.
      if (orphanClaim.dropOne() > 0) continue
      const dropped = this.dropOldest()
      if (dropped === undefined) throw addMembers(new Error(directoryFull), { code: 'EDQUOT' })
      this.lost(dropped, `${directoryFull}, and the oldest of this process were dropped`)
    }
  }

  /** Gives room to processes that have less than an equal share and need it. Throws what the system says. */
  share(): void {
    const { quota, open } = this.parts
    const mostUsed = this.used - quota.excess(this.used)
    this.dropWhile(() => this.used > mostUsed, 'other processes needed room in the directory of the spool')
    if (!open().isBusy) quota.release(this.used)
  }

  /** What this process's files take, in bytes. */
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
    this.lost(dropped, why)
  }

  /** Drops the oldest file. Returns how many records that were; undefined where there is no file. */
  private dropOldest(): number | undefined {
    const { backlog, open } = this.parts
    if (backlog.head === undefined) open().seal()
    return backlog.head === undefined ? undefined : backlog.drop(backlog.head, 'overflowed')
  }

  private lost(records: number, why: string): void {
    if (records > 0) this.parts.report('SLUICE_SPOOL_LOST', `${records} records are lost: ${why}`)
  }
}

const directoryFull = 'the directory of the spool has reached maxDirectoryBytes'
