import type { DirectoryHandle } from '../../platform/node/directory-handle.ts'
import { fileMode, newFile, type SpoolFiles } from './files.ts'
import type { SpoolLine } from './lines.ts'
import { segmentName } from './names.ts'
import { orNothing } from '../../platform/node/file-options.ts'

/** A line that the thread pool writes. */
interface Pending {
  readonly line: SpoolLine
  /** It was finished without waiting for the thread pool. */
  settled: boolean
}

/**
 * Writes one segment, one line at a time. Each has its place in the file, so it can be written a second time without harm:
 * that is how a process that ends finishes what the thread pool has begun, and how a line takes the place of one that the
 * disk took in part.
 */
export class SegmentWriter {
  readonly directory: DirectoryHandle
  readonly sequence: number
  /** How many bytes and records were written. */
  size = 0
  records = 0
  private readonly files: SpoolFiles
  private readonly name: string
  private readonly fd: number
  private readonly inode: number
  private pending: Pending | undefined
  /** How many calls the thread pool has: the descriptor stays open for them. */
  private running = 0
  private closing = false
  private closed = false

  /** Throws what the system says. */
  constructor(files: SpoolFiles, directory: DirectoryHandle, sequence: number) {
    this.files = files
    this.directory = directory
    this.sequence = sequence
    this.name = segmentName({ sequence, records: undefined, from: 0, checked: true })
    this.fd = files.openSync(directory.at(this.name), newFile, fileMode)
    this.inode = files.fstatSync(this.fd).ino
  }

  /** Whether the file is where it was made: nobody has removed it, or taken it over. */
  get isThere(): boolean {
    return this.files.lstatSync(this.directory.at(this.name), orNothing)?.ino === this.inode
  }

  /** Writes a line outside of the event loop. Rejects with what the system says; then it is as if nothing was written. */
  async write(line: SpoolLine): Promise<void> {
    const pending = { line, settled: false }
    this.pending = pending
    this.running++
    try {
      await this.writeAll(line.bytes, this.size)
      if (!pending.settled) this.written(line)
    } catch (error) {
      if (!pending.settled) this.undo()
      throw error
    } finally {
      if (!pending.settled) this.pending = undefined
      this.ran()
    }
  }

  /** Writes a line now. Throws what the system says; then it is as if nothing was written. */
  writeSync(line: SpoolLine): void {
    const { bytes } = line
    try {
      for (let done = 0; done < bytes.length;) {
        done += this.files.writeSync(this.fd, bytes, done, bytes.length - done, this.size + done)
      }
    } catch (error) {
      this.undo()
      throw error
    }
    this.written(line)
  }

  /** Writes now what is on its way; `write` has no say in it any more. Throws what the system says. */
  settleSync(): void {
    const { pending } = this
    if (pending === undefined) return
    pending.settled = true
    this.pending = undefined
    this.writeSync(pending.line)
  }

  /** Has the system put it onto the disk. Rejects with what the system says. */
  sync(): Promise<void> {
    if (this.closed) return Promise.resolve()
    this.running++
    return new Promise((resolve, reject) => {
      this.files.fsync(this.fd, (error) => {
        this.ran()
        if (error === null) resolve()
        else reject(error)
      })
    })
  }

  /** The same now. Throws what the system says. */
  syncNow(): void {
    this.files.fsyncSync(this.fd)
  }

  /** Gives the file the name of one that is full, by which others know what is in it. Throws what the system says. */
  seal(): void {
    const { sequence, records } = this
    const { directory } = this
    const name = segmentName({ sequence, records, from: 0, checked: true })
    this.files.renameSync(directory.at(this.name), directory.at(name))
  }

  /** Removes the file. Throws what the system says. */
  remove(): void {
    this.files.unlinkSync(this.directory.at(this.name))
  }

  /** Lets go of the file, once the thread pool has. */
  close(): void {
    this.closing = true
    if (this.running === 0) this.closeNow()
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

  private written({ bytes, records }: SpoolLine): void {
    this.size += bytes.length
    this.records += records
  }

  /** What a reader finds behind the last whole line would be set aside. */
  private undo(): void {
    try {
      this.files.ftruncateSync(this.fd, this.size)
    } catch {
      // the next line is written over it, or a reader sets it aside
    }
  }

  /** Once: the system may give the number to somebody else. */
  private closeNow(): void {
    if (this.closed) return
    this.closed = true
    try {
      this.files.closeSync(this.fd)
    } catch {
      // what was written is where it is
    }
  }

  private ran(): void {
    if (--this.running === 0 && this.closing) this.closeNow()
  }
}
