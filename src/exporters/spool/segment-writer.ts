import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { fileMode, newFileFlags, writeAllSync, type SpoolFileSystem } from './files.ts'
import type { SpoolLine } from './lines.ts'
import { segmentName } from './names.ts'
import { ifExists } from '../../platform/node/file-options.ts'

/** A line that the thread pool writes. */
interface PendingLine {
  readonly line: SpoolLine
  /** Whether `completeWriteSync` has taken over the line, so that `write` no longer counts or removes it. */
  isTakenOver: boolean
}

/**
 * Writes one segment, one line at a time. Each line has a fixed position in the file, so it can safely be written twice. This
 * is how an exiting process completes a write of the thread pool, and how a line replaces one that was written only partially.
 */
export class SegmentWriter {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** The number of bytes that have been written. */
  size = 0
  /** The number of records that have been written. */
  records = 0
  private readonly files: SpoolFileSystem
  private readonly name: string
  private readonly fd: number
  private readonly inode: number
  private pending: PendingLine | undefined
  /** The number of calls in the thread pool. The descriptor stays open for them. */
  private pendingCalls = 0
  private isClosing = false
  private isClosed = false

  /** @throws The system's error. */
  constructor(files: SpoolFileSystem, directory: DirectoryHandle, sequence: number) {
    this.files = files
    this.directory = directory
    this.sequence = sequence
    this.name = segmentName({ sequence, records: undefined, readOffset: 0, hasChecksums: true })
    this.fd = files.openSync(directory.pathOf(this.name), newFileFlags, fileMode)
    this.inode = files.fstatSync(this.fd).ino
  }

  /** Whether the file is still at its path, which it is not after another process has removed or claimed it. */
  get isInPlace(): boolean {
    return this.files.lstatSync(this.directory.pathOf(this.name), ifExists)?.ino === this.inode
  }

  /** Writes a line in the thread pool. Rejects with the system's error; a partial line is then removed. */
  async write(line: SpoolLine): Promise<void> {
    const pending = { line, isTakenOver: false }
    this.pending = pending
    this.pendingCalls++
    try {
      await this.writeAll(line.bytes, this.size)
      if (!pending.isTakenOver) this.advance(line)
    } catch (error) {
      if (!pending.isTakenOver) this.removePartialLine()
      throw error
    } finally {
      if (!pending.isTakenOver) this.pending = undefined
      this.onCallDone()
    }
  }

  /** Writes a line synchronously. Throws the system's error; a partial line is then removed. */
  writeSync(line: SpoolLine): void {
    try {
      writeAllSync(this.files, this.fd, line.bytes, this.size)
    } catch (error) {
      this.removePartialLine()
      throw error
    }
    this.advance(line)
  }

  /** Takes over the pending line from `write` and writes it again, synchronously. Throws the system's error. */
  completeWriteSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.isTakenOver = true
    this.pending = undefined
    this.writeSync(pending.line)
  }

  /** Syncs the file to the disk. Rejects with the system's error. */
  sync(): Promise<void> {
    if (this.isClosed) return Promise.resolve()
    this.pendingCalls++
    return new Promise((resolve, reject) => {
      this.files.fsync(this.fd, (error) => {
        this.onCallDone()
        if (error === null) resolve()
        else reject(error)
      })
    })
  }

  /** As `sync`, but synchronous. Throws the system's error. */
  syncNow(): void {
    this.files.fsyncSync(this.fd)
  }

  /** Gives the file the name of a complete segment, which contains the number of records. Throws the system's error. */
  seal(): void {
    const { directory, sequence, records } = this
    const name = segmentName({ sequence, records, readOffset: 0, hasChecksums: true })
    this.files.renameSync(directory.pathOf(this.name), directory.pathOf(name))
  }

  /** Removes the file. Throws the system's error. */
  remove(): void {
    this.files.unlinkSync(this.directory.pathOf(this.name))
  }

  /** Closes the file once the thread pool no longer uses it. */
  close(): void {
    this.isClosing = true
    if (this.pendingCalls === 0) this.closeNow()
  }

  private async writeAll(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += await new Promise<number>((resolve, reject) => {
        this.files.write(this.fd, bytes, done, bytes.length - done, position + done, (error, written) =>
          error === null ? resolve(written) : reject(error),
        )
      })
    }
  }

  private advance({ bytes, records }: SpoolLine): void {
    this.size += bytes.length
    this.records += records
  }

  /** Removes a partial line at the end of the file, which a reader would quarantine. Never throws. */
  private removePartialLine(): void {
    try {
      this.files.ftruncateSync(this.fd, this.size)
    } catch {
      // The next line overwrites it, or a reader quarantines it.
    }
  }

  /** Closes the descriptor. Does so only once, because the system may reuse its number for another file. */
  private closeNow(): void {
    if (this.isClosed) return
    this.isClosed = true
    try {
      this.files.closeSync(this.fd)
    } catch {
      // The written data is unaffected.
    }
  }

  private onCallDone(): void {
    if (--this.pendingCalls === 0 && this.isClosing) this.closeNow()
  }
}
