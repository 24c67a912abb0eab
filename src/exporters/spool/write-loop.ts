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

/** The size limits of a spool, and when it syncs. */
export interface SpoolLimits {
  readonly maxBytes: number
  /** The limit for the files of all processes together. */
  readonly maxDirectoryBytes: number
  readonly maxAgeMillis: number
  readonly fsync: SpoolFsync
}

/** Where a line was written. */
export interface SpoolPosition {
  readonly sequence: number
  /** Where the line starts and ends in its segment, in bytes. */
  readonly start: number
  readonly end: number
  readonly records: number
  /** Whether the line is synced to the disk, if that is required. */
  readonly synced: boolean
}

/** The size limits of a segment in bytes. The oldest segment is the unit in which records are dropped. */
const maxSegmentBytes = 2 * 1024 * 1024
const minSegmentBytes = 128 * 1024
/** A line that the thread pool has not written after this time, in ms, is stuck. No log call may then write it instead. */
const stuckMillis = 1_000
/** The disk counts as slow after a synchronous write that takes longer than this, in ms. */
const slowMillis = 100
/**
 * How long the disk then counts as slow, as a multiple of the duration of that write. So a slow disk takes at most a tenth of
 * the time of the callers, and a short delay costs little.
 */
const slowFactor = 10

/** Returns the segment size in bytes at which the next segment is started. The last line may exceed it. */
export function segmentBytesOf({ maxBytes, maxDirectoryBytes }: SpoolLimits): number {
  const eighth = Math.floor(Math.min(maxBytes, maxDirectoryBytes) / 8)
  return Math.max(minSegmentBytes, Math.min(maxSegmentBytes, eighth))
}

/** A line being written, and the callback for when it is written. */
interface Pending {
  readonly writer: SegmentWriter
  readonly line: SpoolLine
  readonly onWritten: (kept: SpoolPosition) => void
  /** Whether it was finished without waiting for the thread pool. */
  isSettled: boolean
}

/** The write loop of a spool, which writes the current segment. */
export class SpoolWriteLoop {
  /** The last sequence number that was used. */
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
  private countedRecords = 0
  /** Resolves when the last segment is synced. */
  private syncing: Promise<void> = Promise.resolve()
  private firstAt = 0
  private lastAt = 0
  private writeStartedAt = Infinity
  /** Until this time, in ms of `performance.now()`, no log call may block on the disk. */
  private slowUntil = -Infinity

  /** @param makeRoom - Makes room for a number of bytes. Throws the system's error, or EDQUOT if there is no room. */
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
    return this.countedRecords
  }

  /** The size of the segment in bytes. */
  get bytes(): number {
    return this.writer?.size ?? 0
  }

  /** Whether a line is being written. */
  get isBusy(): boolean {
    return this.pending !== undefined
  }

  /** Whether the disk is too slow for a log call to block on it. */
  get isSlow(): boolean {
    const now = performance.now()
    return now < this.slowUntil || now - this.writeStartedAt > stuckMillis
  }

  /**
   * Writes a line in the thread pool.
   *
   * @param onWritten - Called once the line is written, here or in `settleSync`. It is not called if the promise rejects.
   * @returns A promise that rejects with the system's error.
   */
  async write(line: SpoolLine, onWritten: (kept: SpoolPosition) => void): Promise<void> {
    const writer = this.prepareWriter(line)
    const pending = { writer, line, onWritten, isSettled: false }
    this.pending = pending
    this.writeStartedAt = performance.now()
    try {
      await writer.write(line)
      const isSynced = this.limits.fsync !== 'batch' || (await this.syncWriter(writer))
      if (!pending.isSettled) this.onLineWritten(pending, isSynced)
    } catch (error) {
      if (!pending.isSettled) throw error
    } finally {
      this.writeStartedAt = Infinity
      if (pending === this.pending) this.pending = undefined
    }
  }

  /** Writes a line synchronously. Throws the system's error. */
  writeSync(line: SpoolLine, onWritten: (kept: SpoolPosition) => void): void {
    const writer = this.prepareWriter(line)
    const start = performance.now()
    try {
      writer.writeSync(line)
      this.onLineWritten({ writer, line, onWritten, isSettled: true }, this.syncWriterNow(writer))
    } finally {
      const now = performance.now()
      if (now - start > slowMillis) this.slowUntil = now + (now - start) * slowFactor
    }
  }

  /** Completes the line being written synchronously. Throws the system's error; the line is then no longer being written. */
  settleSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.isSettled = true
    this.pending = undefined
    pending.writer.settleSync()
    this.onLineWritten(pending, this.syncWriterNow(pending.writer))
  }

  /** Adds the segment to the queued ones, unless a line is being written. */
  seal(): void {
    const { writer } = this
    if (writer === undefined || this.pending !== undefined) return
    try {
      if (writer.records > 0) this.sealSegment(writer)
      else this.discard(writer)
    } catch (error) {
      this.reportFailure('finish a file', error)
      this.countLost()
    }
    if (this.limits.fsync !== 'segment') writer.close()
    else this.syncing = this.syncWriter(writer).then(() => writer.close())
  }

  /**
   * Seals the segment if its first record is older than an eighth of `maxAgeMillis`, because a file expires as a whole, or if
   * its last record has expired.
   *
   * @param now - The current time in ms since the epoch.
   */
  sealOlder(now: number): void {
    const { maxAgeMillis } = this.limits
    if (this.records > 0 && (now - this.firstAt > maxAgeMillis / 8 || now - this.lastAt > maxAgeMillis)) this.seal()
  }

  /** Syncs what was written to the disk, if that is required. */
  async flush(): Promise<void> {
    await this.syncing
    const { writer } = this
    if (writer !== undefined && this.limits.fsync !== 'never') await this.syncWriter(writer)
  }

  /** Returns the segment for a line: it exists, is not full, and has room for it. Throws the system's error. */
  private prepareWriter({ bytes }: SpoolLine): SegmentWriter {
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
      // Another process removed the directory or took it over. The next attempt uses a new one.
      if (errorCode(error) === 'ENOENT') this.owner.forget()
      throw error
    }
  }

  /** Counts a line that was written, after checking that the file still exists. Throws if it does not. */
  private onLineWritten({ writer, line, onWritten }: Pending, isSynced: boolean): void {
    this.pending = undefined
    const { records } = line
    if (!writer.isThere) {
      // Its earlier records belong to the process that took it over, or are lost.
      this.owner.forget()
      writer.close()
      this.countLost()
      throw addMembers(new Error('the file is missing'), { code: 'ENOENT' })
    }
    this.lastAt = Date.now()
    this.backlog.counts.spooled += records
    this.countedRecords += records
    const { sequence, size: end } = writer
    onWritten({ sequence, start: end - line.bytes.length, end, records, synced: isSynced })
  }

  private discard(writer: SegmentWriter): void {
    this.writer = undefined
    writer.remove()
  }

  private sealSegment(writer: SegmentWriter): void {
    const { directory, sequence, size, records } = writer
    writer.seal()
    this.writer = undefined
    this.countedRecords = 0
    this.backlog.add(newSegment({ directory, sequence, checked: true, size, records, from: 0, writtenAt: this.lastAt }))
  }

  private countLost(): void {
    const records = this.countedRecords
    this.backlog.counts.corrupt += records
    this.backlog.counts.missing += records
    this.writer = undefined
    this.countedRecords = 0
    if (records > 0) this.report('SLUICE_SPOOL_LOST', `${records} records are lost: a file of the spool is missing`)
  }

  /** Syncs the bytes, and the file's name in its directory. */
  private async syncWriter(writer: SegmentWriter): Promise<boolean> {
    try {
      await writer.sync()
      await syncDirectory(this.files, writer.directory)
      return true
    } catch (error) {
      return this.reportSyncFailure(error)
    }
  }

  private syncWriterNow(writer: SegmentWriter): boolean {
    if (this.limits.fsync !== 'batch') return true
    try {
      writer.syncNow()
      syncDirectoryNow(this.files, writer.directory)
      return true
    } catch (error) {
      return this.reportSyncFailure(error)
    }
  }

  private reportSyncFailure(error: unknown): false {
    this.report('SLUICE_SYNC_FAILED', `the spool cannot fsync (${errorCode(error)}); written records may be lost`)
    return false
  }

  private reportFailure(what: string, error: unknown): void {
    this.report('SLUICE_SPOOL_FAILED', `the spool cannot ${what} (${errorCode(error)})`)
  }
}
