import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import { syncDirectory, syncDirectoryNow, type SpoolFiles } from './files.ts'
import type { SpoolLine } from './lines.ts'
import type { SpoolFsync } from './options.ts'
import type { SpoolOwner } from './owner.ts'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { newSegment } from './segments.ts'
import { SegmentWriter } from './segment-writer.ts'
import { errorCode } from '../fd/write-errors.ts'
import { addMembers } from '../../options/define-member.ts'

/** How much may be kept, and how safely. */
export interface SpoolLimits {
  readonly maxBytes: number
  /** For the files of all processes together. */
  readonly maxDirectoryBytes: number
  readonly maxAgeMillis: number
  readonly fsync: SpoolFsync
}

/** Where a line was written. */
export interface SpoolPosition {
  readonly sequence: number
  /** Where it begins and ends in its segment, in bytes. */
  readonly start: number
  readonly end: number
  readonly records: number
  /** The system has it on the disk, where that was asked for. */
  readonly synced: boolean
}

/** A segment holds so much, in bytes: the oldest one is what gives way at a time. */
const mostSegmentBytes = 2 * 1024 * 1024
const leastSegmentBytes = 128 * 1024
/** A line that the thread pool has for so long, in ms, is one that no call may write in its place. */
const stuckMillis = 1_000
/** A call that had to wait for so long, in ms, is the last one for … */
const slowMillis = 100
/** … so many times as long: a slow disk takes a tenth of the time of those who log, and a hiccup costs little. */
const slowFactor = 10

/** How long a segment may become before the next one is begun, in bytes; the last line may go beyond it. */
export function segmentBytesOf({ maxBytes, maxDirectoryBytes }: SpoolLimits): number {
  const eighth = Math.floor(Math.min(maxBytes, maxDirectoryBytes) / 8)
  return Math.max(leastSegmentBytes, Math.min(mostSegmentBytes, eighth))
}

/** A line on its way, and who is told when it has arrived. */
interface Pending {
  readonly writer: SegmentWriter
  readonly line: SpoolLine
  readonly taken: (kept: SpoolPosition) => void
  /** It was finished without waiting for the thread pool. */
  isSettled: boolean
}

/** Where records come into a spool: the segment that is being written. */
export class SpoolWriteLoop {
  /** The last sequence number that was given away. */
  sequence = 0
  private readonly files: SpoolFiles
  private readonly owner: SpoolOwner
  private readonly backlog: SpoolBacklog
  private readonly limits: SpoolLimits
  private readonly report: ReportDiagnostic
  private readonly makeRoom: (bytes: number) => void
  private readonly segmentBytes: number
  private writer: SegmentWriter | undefined
  private pending: Pending | undefined
  private counted = 0
  /** The last segment is on its way to the disk. */
  private syncing: Promise<void> = Promise.resolve()
  private firstAt = 0
  private lastAt = 0
  private begunAt = Infinity
  /** Until then no call may wait for the disk, in ms of `performance.now()`. */
  private slowUntil = -Infinity

  /** @param makeRoom - makes room for so many bytes. Throws what the system says, EDQUOT where there is none. */
  constructor(
    files: SpoolFiles,
    owner: SpoolOwner,
    backlog: SpoolBacklog,
    limits: SpoolLimits,
    report: ReportDiagnostic,
    makeRoom: (bytes: number) => void,
  ) {
    this.files = files
    this.owner = owner
    this.backlog = backlog
    this.limits = limits
    this.report = report
    this.makeRoom = makeRoom
    this.segmentBytes = segmentBytesOf(limits)
  }

  /** How many records of the segment are counted. */
  get records(): number {
    return this.counted
  }

  /** How long it is, in bytes. */
  get bytes(): number {
    return this.writer?.size ?? 0
  }

  /** A line is on its way. */
  get isBusy(): boolean {
    return this.pending !== undefined
  }

  /** The disk does not keep up: no call may wait for it. */
  get isSlow(): boolean {
    const now = performance.now()
    return now < this.slowUntil || now - this.begunAt > stuckMillis
  }

  /**
   * Writes a line outside of the event loop. `taken` is called once it is there, here or in `settleSync`. Rejects with what
   * the system says, and then `taken` is not called.
   */
  async write(line: SpoolLine, taken: (kept: SpoolPosition) => void): Promise<void> {
    const writer = this.ready(line)
    const pending = { writer, line, taken, isSettled: false }
    this.pending = pending
    this.begunAt = performance.now()
    try {
      await writer.write(line)
      const isSynced = this.limits.fsync !== 'batch' || (await this.synced(writer))
      if (!pending.isSettled) this.take(pending, isSynced)
    } catch (error) {
      if (!pending.isSettled) throw error
    } finally {
      this.begunAt = Infinity
      if (pending === this.pending) this.pending = undefined
    }
  }

  /** Writes a line now. Throws what the system says. */
  writeSync(line: SpoolLine, taken: (kept: SpoolPosition) => void): void {
    const writer = this.ready(line)
    const start = performance.now()
    try {
      writer.writeSync(line)
      this.take({ writer, line, taken, isSettled: true }, this.syncedNow(writer))
    } finally {
      const now = performance.now()
      if (now - start > slowMillis) this.slowUntil = now + (now - start) * slowFactor
    }
  }

  /** Finishes now what is on its way. Throws what the system says; then it is not on its way any more. */
  settleSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.isSettled = true
    this.pending = undefined
    pending.writer.settleSync()
    this.take(pending, this.syncedNow(pending.writer))
  }

  /** Makes the segment one of those that wait: no line is on its way. */
  seal(): void {
    const { writer } = this
    if (writer === undefined || this.pending !== undefined) return
    try {
      if (writer.records > 0) this.hand(writer)
      else this.discard(writer)
    } catch (error) {
      this.reportFailure('finish a file', error)
      this.lose()
    }
    if (this.limits.fsync !== 'segment') writer.close()
    else this.syncing = this.synced(writer).then(() => writer.close())
  }

  /** Makes the segment one of those that wait when it is older than what is to be dropped at once, in ms. */
  sealOlder(now: number): void {
    const { maxAgeMillis } = this.limits
    if (this.records > 0 && (now - this.firstAt > maxAgeMillis / 8 || now - this.lastAt > maxAgeMillis)) this.seal()
  }

  /** Puts what was written onto the disk, where that was asked for. */
  async flush(): Promise<void> {
    await this.syncing
    const { writer } = this
    if (writer !== undefined && this.limits.fsync !== 'never') await this.synced(writer)
  }

  /** The segment for a line: there, not full, and with room for it. Throws what the system says. */
  private ready({ bytes }: SpoolLine): SegmentWriter {
    if (this.writer !== undefined && this.writer.size >= this.segmentBytes) this.seal()
    this.makeRoom(bytes.length)
    if (this.writer !== undefined) return this.writer
    this.writer = this.open(this.owner.own())
    this.firstAt = Date.now()
    return this.writer
  }

  private open(directory: DirectoryHandle): SegmentWriter {
    try {
      return new SegmentWriter(this.files, directory, ++this.sequence)
    } catch (error) {
      // Somebody has removed it, or taken it over: the next try has another one.
      if (errorCode(error) === 'ENOENT') this.owner.forget()
      throw error
    }
  }

  /** A line was written; what is true of it is seen now. Throws when the file is not there any more. */
  private take({ writer, line, taken }: Pending, isSynced: boolean): void {
    this.pending = undefined
    const { records } = line
    if (!writer.isThere) {
      // Its records from before are with whoever took it over, or with nobody.
      this.owner.forget()
      writer.close()
      this.lose()
      throw addMembers(new Error('the file is gone'), { code: 'ENOENT' })
    }
    this.lastAt = Date.now()
    this.backlog.counts.spooled += records
    this.counted += records
    const { sequence, size: end } = writer
    taken({ sequence, start: end - line.bytes.length, end, records, synced: isSynced })
  }

  private discard(writer: SegmentWriter): void {
    this.writer = undefined
    writer.remove()
  }

  private hand(writer: SegmentWriter): void {
    const { directory, sequence, size, records } = writer
    writer.seal()
    this.writer = undefined
    this.counted = 0
    this.backlog.add(newSegment({ directory, sequence, checked: true, size, records, from: 0, writtenAt: this.lastAt }))
  }

  private lose(): void {
    const records = this.counted
    this.backlog.counts.corrupt += records
    this.backlog.counts.missing += records
    this.writer = undefined
    this.counted = 0
    if (records > 0) this.report('SLUICE_SPOOL_LOST', `${records} records are lost: a file of the spool is gone`)
  }

  /** The bytes, and the name that leads to them. */
  private async synced(writer: SegmentWriter): Promise<boolean> {
    try {
      await writer.sync()
      await syncDirectory(this.files, writer.directory)
      return true
    } catch (error) {
      return this.unsynced(error)
    }
  }

  private syncedNow(writer: SegmentWriter): boolean {
    if (this.limits.fsync !== 'batch') return true
    try {
      writer.syncNow()
      syncDirectoryNow(this.files, writer.directory)
      return true
    } catch (error) {
      return this.unsynced(error)
    }
  }

  private unsynced(error: unknown): false {
    this.report('SLUICE_SYNC_FAILED', `the spool cannot fsync (${errorCode(error)}); what was written may be lost`)
    return false
  }

  private reportFailure(what: string, error: unknown): void {
    this.report('SLUICE_SPOOL_FAILED', `the spool cannot ${what} (${errorCode(error)})`)
  }
}
