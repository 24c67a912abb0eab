import { lostRecordsText } from '../../options/counted.ts'
import type { SpoolBacklog, ReportDiagnostic } from './backlog.ts'
import { syncDirectory, syncDirectoryNow, type SpoolFileSystem } from './files.ts'
import type { SpoolLine } from './lines.ts'
import type { SpoolFsync } from './options.ts'
import type { SpoolOwner } from './owner.ts'
import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { newSegment } from './segments.ts'
import { SegmentWriter } from './segment-writer.ts'
import { errorCode } from '../fd/write-errors.ts'
import { addMembers } from '../../options/define-member.ts'

/** The limits of a spool, and when it syncs; see `SpoolOptions`. */
export interface SpoolLimits {
  readonly maxBytes: number
  /** The limit for the files of all processes together. */
  readonly maxDirectoryBytes: number
  readonly maxAgeMillis: number
  readonly fsync: SpoolFsync
}

/** A line that was written to a segment. */
export interface StoredLine {
  /** The sequence number of the segment. */
  readonly sequence: number
  /** Where the line starts in the segment, in bytes. */
  readonly start: number
  /** Where the line ends in the segment, in bytes. */
  readonly end: number
  /** The number of records in the line. */
  readonly records: number
  /** False if the line should have been synced to the disk (`fsync: 'batch'`) and that failed. */
  readonly isDurable: boolean
}

/**
 * The range of the segment size in bytes. Records are dropped by whole segments, so a segment should be a small part of the
 * spool.
 */
const maxSegmentBytes = 2 * 1024 * 1024
const minSegmentBytes = 128 * 1024
/** After a write in the thread pool has taken this long, in ms, the disk counts as slow until that write has ended. */
const stuckMillis = 1_000
/** The disk counts as slow after a synchronous write that takes longer than this, in ms. */
const slowMillis = 100
/**
 * How long the disk then counts as slow, as a multiple of the duration of that write. So log calls wait for the disk for at most
 * about a tenth of the time, and the shorter that write took, the sooner the disk is used again.
 */
const slowFactor = 10

/** Returns the segment size in bytes at which the next segment is started. The last line may exceed it. */
export function segmentBytesOf({ maxBytes, maxDirectoryBytes }: SpoolLimits): number {
  const eighth = Math.floor(Math.min(maxBytes, maxDirectoryBytes) / 8)
  return Math.max(minSegmentBytes, Math.min(maxSegmentBytes, eighth))
}

/** A line that is being written. */
interface PendingLine {
  readonly writer: SegmentWriter
  readonly line: SpoolLine
  readonly onWritten: (stored: StoredLine) => void
  /** Whether `completeWriteSync` has taken over the line, so that the result of the call in the thread pool is ignored. */
  isTakenOver: boolean
}

/** Writes the lines of a spool to the current segment, and starts the next segment when that is full or old. */
export class SpoolWriter {
  /** The last sequence number that was used. */
  lastSequence = 0
  private readonly files: SpoolFileSystem
  private readonly owner: SpoolOwner
  private readonly backlog: SpoolBacklog
  private readonly limits: SpoolLimits
  private readonly report: ReportDiagnostic
  private readonly makeRoom: (bytes: number) => void
  private readonly segmentBytes: number
  private writer: SegmentWriter | undefined
  private pending: PendingLine | undefined
  private countedRecords = 0
  /** Resolves when all sealed segments are synced. */
  private syncing: Promise<unknown> = Promise.resolve()
  /** When the current segment was opened, in ms since the epoch. */
  private openedAt = 0
  /** When the last line was written, in ms since the epoch. */
  private lastWrittenAt = 0
  /** When the pending write in the thread pool was started, in ms of `performance.now()`; Infinity if no write is pending. */
  private writeStartedAt = Infinity
  /** Until this time, in ms of `performance.now()`, the disk counts as slow. */
  private slowUntil = -Infinity

  /** @param makeRoom - Makes room for a number of bytes. Throws the system's error, or EDQUOT if there is no room. */
  constructor(
    files: SpoolFileSystem,
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

  /** How many records of the current segment are counted in `spooled`. */
  get records(): number {
    return this.countedRecords
  }

  /** The size of the current segment in bytes. */
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
   * @param onWritten - Called when the line is written, here or in `completeWriteSync`. Not called if that fails.
   * @returns A promise that rejects with the system's error, unless `completeWriteSync` has taken over.
   */
  async write(line: SpoolLine, onWritten: (stored: StoredLine) => void): Promise<void> {
    const writer = this.prepareWriter(line)
    const pending = { writer, line, onWritten, isTakenOver: false }
    this.pending = pending
    this.writeStartedAt = performance.now()
    try {
      await writer.write(line)
      const isSynced = this.limits.fsync !== 'batch' || (await this.syncWriter(writer))
      if (!pending.isTakenOver) this.onLineWritten(pending, isSynced)
    } catch (error) {
      if (!pending.isTakenOver) throw error
    } finally {
      this.writeStartedAt = Infinity
      if (pending === this.pending) this.pending = undefined
    }
  }

  /** Writes a line synchronously. No line may be pending. Throws the system's error. */
  writeSync(line: SpoolLine, onWritten: (stored: StoredLine) => void): void {
    const writer = this.prepareWriter(line)
    const start = performance.now()
    try {
      writer.writeSync(line)
      this.onLineWritten({ writer, line, onWritten, isTakenOver: false }, this.syncWriterNow(writer))
    } finally {
      const now = performance.now()
      if (now - start > slowMillis) this.slowUntil = now + (now - start) * slowFactor
    }
  }

  /** Writes the pending line synchronously, if there is one. Throws the system's error; the line is no longer pending then either. */
  completeWriteSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.isTakenOver = true
    this.pending = undefined
    pending.writer.completeWriteSync()
    this.onLineWritten(pending, this.syncWriterNow(pending.writer))
  }

  /**
   * Completes the current segment and adds it to the queue, unless a line is being written. A segment without records is removed
   * instead. If completing it fails, its records count as missing. Never throws.
   */
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
    else this.syncing = Promise.all([this.syncing, this.syncWriter(writer).then(() => writer.close())])
  }

  /**
   * Seals the current segment if it was opened more than an eighth of `maxAgeMillis` ago, because a file expires as a whole, or
   * if its last record has expired.
   *
   * @param now - The current time in ms since the epoch.
   */
  sealIfOld(now: number): void {
    const { maxAgeMillis } = this.limits
    if (this.records > 0 && (now - this.openedAt > maxAgeMillis / 8 || now - this.lastWrittenAt > maxAgeMillis))
      this.seal()
  }

  /** Syncs what was written to the disk, unless the option `fsync` is `never`. Never rejects. */
  async flush(): Promise<void> {
    await this.syncing
    const { writer } = this
    if (writer !== undefined && this.limits.fsync !== 'never') await this.syncWriter(writer)
  }

  /** Makes room for a line and returns the writer of the segment for it, a new one if necessary. Throws the system's error. */
  private prepareWriter({ bytes }: SpoolLine): SegmentWriter {
    if (this.writer !== undefined && this.writer.size >= this.segmentBytes) this.seal()
    this.makeRoom(bytes.length)
    if (this.writer !== undefined) return this.writer
    this.writer = this.open(this.owner.ensureDirectory())
    this.openedAt = Date.now()
    return this.writer
  }

  private open(directory: DirectoryHandle): SegmentWriter {
    try {
      return new SegmentWriter(this.files, directory, ++this.lastSequence)
    } catch (error) {
      // Another process has removed or claimed the directory. The next attempt creates a new one.
      if (errorCode(error) === 'ENOENT') this.owner.forget()
      throw error
    }
  }

  /** Counts a line that was written, after checking that the file is still at its path. Throws ENOENT if it is not. */
  private onLineWritten({ writer, line, onWritten }: PendingLine, isSynced: boolean): void {
    this.pending = undefined
    const { records } = line
    if (!writer.isInPlace) {
      // Another process has claimed or removed the file, so its earlier records are not queued here anymore.
      this.owner.forget()
      writer.close()
      this.countLost()
      throw addMembers(new Error('the file is missing'), { code: 'ENOENT' })
    }
    this.lastWrittenAt = Date.now()
    this.backlog.counts.spooled += records
    this.countedRecords += records
    const { sequence, size: end } = writer
    onWritten({ sequence, start: end - line.bytes.length, end, records, isDurable: isSynced })
  }

  /** Removes a segment without records. */
  private discard(writer: SegmentWriter): void {
    this.writer = undefined
    writer.remove()
  }

  private sealSegment(writer: SegmentWriter): void {
    const { directory, sequence, size, records } = writer
    writer.seal()
    this.writer = undefined
    this.countedRecords = 0
    this.backlog.add(
      newSegment({
        directory,
        sequence,
        hasChecksums: true,
        size,
        records,
        readOffset: 0,
        writtenAt: this.lastWrittenAt,
      }),
    )
  }

  /** Counts the records of the current segment as missing, and stops using it. */
  private countLost(): void {
    const records = this.countedRecords
    this.backlog.counts.corrupt += records
    this.backlog.counts.missing += records
    this.writer = undefined
    this.countedRecords = 0
    if (records > 0) this.report('SLUICE_SPOOL_LOST', `${lostRecordsText(records)}: a file of the spool is missing`)
  }

  /** Syncs the file, and its name in the directory. Returns whether that succeeded. A failure is reported. */
  private async syncWriter(writer: SegmentWriter): Promise<boolean> {
    try {
      await writer.sync()
      await syncDirectory(this.files, writer.directory)
      return true
    } catch (error) {
      return this.reportSyncFailure(error)
    }
  }

  /** As `syncWriter`, but synchronous. Does nothing unless the option `fsync` is `batch`. */
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
