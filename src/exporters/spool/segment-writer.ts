import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { fileMode, newFile, type SpoolFiles } from './files.ts'
import type { SpoolLine } from './lines.ts'
import { segmentName } from './names.ts'
import { ifExists } from '../../platform/node/file-options.ts'

/** A line that the thread pool writes. */
interface Pending {
  readonly line: SpoolLine
  /** Whether it was finished without waiting for the thread pool. */
  settled: boolean
}

/**
 * Writes one segment, one line at a time. Each line has a fixed position in the file, so it can safely be written twice. This
 * is how an exiting process completes a write of the thread pool, and how a line replaces one that was written only partially.
 */
export class SegmentWriter {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** How many bytes and records have been written. */
  size = 0
  records = 0
  private readonly files: SpoolFiles
  private readonly name: string
  private readonly fd: number
  private readonly inode: number
  private pending: Pending | undefined
  /** The number of calls in the thread pool. The descriptor stays open for them. */
  private pendingCalls = 0
  private isClosing = false
  private isClosed = false

  /** @throws The system's error. */
  constructor(files: SpoolFiles, directory: DirectoryHandle, sequence: number) {
    this.files = files
    this.directory = directory
    this.sequence = sequence
    this.name = segmentName({ sequence, records: undefined, from: 0, checked: true })
    this.fd = files.openSync(directory.at(this.name), newFile, fileMode)
    this.inode = files.fstatSync(this.fd).ino
  }

  /** Whether the file is still at its path: it was not removed or taken over. */
  get isThere(): boolean {
    return this.files.lstatSync(this.directory.at(this.name), ifExists)?.ino === this.inode
  }

  /** Writes a line in the thread pool. Rejects with the system's error; the file is then as before. */
  async write(line: SpoolLine): Promise<void> {
    const pending = { line, settled: false }
    this.pending = pending
    this.pendingCalls++
    try {
      await this.writeAll(line.bytes, this.size)
      if (!pending.settled) this.advance(line)
    } catch (error) {
      if (!pending.settled) this.truncate()
      throw error
    } finally {
      if (!pending.settled) this.pending = undefined
      this.onCallDone()
    }
  }

  /** Writes a line synchronously. Throws the system's error; the file is then as before. */
  writeSync(line: SpoolLine): void {
    const { bytes } = line
    try {
      for (let done = 0; done < bytes.length;) {
        done += this.files.writeSync(this.fd, bytes, done, bytes.length - done, this.size + done)
      }
    } catch (error) {
      this.truncate()
      throw error
    }
    this.advance(line)
  }

  /** Completes the pending line synchronously; `write` no longer affects it. Throws the system's error. */
  settleSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.settled = true
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

  /** Does the same synchronously. Throws the system's error. */
  syncNow(): void {
    this.files.fsyncSync(this.fd)
  }

  /** Gives the file its final name, which shows its content to other processes. Throws the system's error. */
  seal(): void {
    const { sequence, records } = this
    const { directory } = this
    const name = segmentName({ sequence, records, from: 0, checked: true })
    this.files.renameSync(directory.at(this.name), directory.at(name))
  }

  /** Removes the file. Throws the system's error. */
  remove(): void {
    this.files.unlinkSync(this.directory.at(this.name))
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

  /** Removes a partial line. A reader would otherwise quarantine it. */
  private truncate(): void {
    try {
      this.files.ftruncateSync(this.fd, this.size)
    } catch {
      // The next line overwrites it, or a reader quarantines it.
    }
  }

  /** Closes the descriptor, only once, because the system may reuse its number. */
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
