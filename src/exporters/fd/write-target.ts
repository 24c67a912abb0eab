import { writeSync } from '../../platform/node/write-sync.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower } from '../file/file-follower.ts'
import { lineEnd, chunkEnd, wholeLinesEnd } from './line-chunks.ts'
import { FilePace } from '../file/slow-file.ts'

/** How many times the file may change before one line: for example once because it was renamed, and again because the new one is full. */
const MAX_FILE_CHANGES = 3
const newline = new Uint8Array([10])

/** The destination of a target, and how the target writes to it. */
export interface WriteTargetOptions {
  /** Opens the destination. May throw the system's error; it is then called again at the next attempt. */
  readonly open: () => Descriptor
  /** Whether to write to pipes and sockets in whole lines of at most PIPE_BUF bytes. */
  readonly keepsLinesWhole: boolean
  /** Returns monotonic time in ms. */
  readonly now: () => number
  /** Selects the file for each line, if it can change. */
  readonly follower: FileFollower | undefined
  /** Called with a descriptor that is no longer written to. */
  readonly retire: (descriptor: Descriptor) => void
}

/** The bytes to write, which start at `offset`. */
export interface WriteRequest {
  readonly bytes: Uint8Array
  readonly offset: number
  /** Whether the byte before `offset` is not the end of a line. */
  readonly isInsideLine: boolean
  /** The minimum length to assume for a line, in bytes, because `bytes` may contain only a part of it. */
  readonly assumedLineBytes: number
}

/**
 * The open destination of a writer. It selects the descriptor for the next byte and the size of each chunk.
 *
 * Invariant: the descriptor changes only between two lines, and an abandoned line is ended with a newline before anything else
 * is written.
 */
export class WriteTarget {
  /** Whether the destination ends with an incomplete line whose rest was abandoned. */
  endsInsideLine = false
  /** Whether the current file is fast enough for synchronous writes. */
  pace: FilePace = new FilePace()
  private currentDescriptor: Descriptor | undefined
  /** The descriptor that replaces the current one before the next line, if there is one. */
  private nextDescriptor: Descriptor | undefined
  private readonly options: WriteTargetOptions

  constructor(options: WriteTargetOptions) {
    this.options = options
  }

  /** The current descriptor, or undefined if the destination has not been opened. */
  get descriptor(): Descriptor | undefined {
    return this.currentDescriptor
  }

  /**
   * Does what is needed before the next byte: opens the destination, changes the descriptor, and ends an incomplete line.
   *
   * @param now - Monotonic time in ms, if the caller has it already.
   * @returns The descriptor to write to, and the offset where this write must end.
   * @throws The system's error.
   */
  prepare(request: WriteRequest, now?: number): { readonly descriptor: Descriptor; readonly writeEnd: number } {
    if (!request.isInsideLine && this.nextDescriptor !== undefined) this.changeDescriptor()
    this.currentDescriptor ??= this.open()
    if (!request.isInsideLine) this.followPath(request, now)
    const { currentDescriptor } = this
    if (this.endsInsideLine && writeSync(currentDescriptor.fd, newline, 0, 1) === 1) this.endsInsideLine = false
    return { descriptor: currentDescriptor, writeEnd: this.findWriteEnd(request, currentDescriptor.kind) }
  }

  /**
   * Writes one chunk, or what the destination accepts of it. `isDestinationFull`: a file accepted nothing, or another destination
   * only a part. Another attempt now would be refused, and that would cost more than a successful write.
   *
   * @throws The system's error; EAGAIN if it accepts nothing.
   */
  write(request: WriteRequest): { readonly written: number; readonly isDestinationFull: boolean } {
    const { bytes, offset } = request
    const { follower, now } = this.options
    const nowBefore = follower === undefined ? undefined : now()
    const { descriptor, writeEnd } = this.prepare(request, nowBefore)
    const { fd, kind } = descriptor
    if (kind !== 'file') {
      const written = withoutStackTrace(() => writeSync(fd, bytes, offset, writeEnd - offset))
      return { written, isDestinationFull: offset + written < writeEnd }
    }
    const start = nowBefore ?? now()
    const written = writeSync(fd, bytes, offset, writeEnd - offset)
    this.pace.recordSyncWrite(now() - start)
    return { written, isDestinationFull: written === 0 }
  }

  /** Whether the next write should use the thread pool: the file is slow, and no other code uses its open file description. */
  get shouldWriteInBackground(): boolean {
    return this.pace.isSlow && this.currentDescriptor?.isExclusive === true
  }

  /**
   * Opens the destination unless it is open.
   *
   * @throws The system's error.
   */
  ensureOpen(): Descriptor {
    return (this.currentDescriptor ??= this.open())
  }

  /** Switches to another descriptor: now if no line is partially written, otherwise after that line. */
  switchTo(descriptor: Descriptor, isInsideLine: boolean): void {
    this.nextDescriptor?.close()
    this.nextDescriptor = descriptor
    if (!isInsideLine) this.changeDescriptor()
  }

  /** Closes the descriptors of this target. */
  close(): void {
    this.nextDescriptor?.close()
    this.currentDescriptor?.close()
    this.nextDescriptor = this.currentDescriptor = undefined
  }

  private open(): Descriptor {
    const descriptor = this.options.open()
    this.endsInsideLine = descriptor.endsInsideLine
    return descriptor
  }

  /** Changes to the file that the follower selects for the next line. The follower also sets how much room that file has. */
  private followPath({ bytes, offset, assumedLineBytes }: WriteRequest, nowBefore: number | undefined): void {
    const { follower, now } = this.options
    if (follower === undefined) return
    let latestTime = nowBefore ?? now()
    for (let changes = 0; changes < MAX_FILE_CHANGES && latestTime >= follower.nextCheckAt; changes++) {
      const next = follower.next(this.currentDescriptor!, {
        bytes,
        offset,
        assumedLineBytes,
        needsNewline: this.endsInsideLine,
      })
      if (next === undefined) return
      const { pace } = this
      this.nextDescriptor = next === 'gone' ? undefined : next
      this.changeDescriptor()
      // The path is the same, so the new file is most likely on the same disk, and as fast.
      this.pace = pace
      this.currentDescriptor ??= this.open()
      latestTime = now()
    }
  }

  /** Retires the current descriptor and replaces it by the next one. Without a next one, the destination must be opened again. */
  private changeDescriptor(): void {
    if (this.currentDescriptor !== undefined) this.options.retire(this.currentDescriptor)
    this.currentDescriptor = this.nextDescriptor
    this.nextDescriptor = undefined
    this.endsInsideLine = this.currentDescriptor?.endsInsideLine ?? false
    this.pace = new FilePace()
  }

  /** Returns the offset where the next write must end. */
  private findWriteEnd({ bytes, offset, isInsideLine }: WriteRequest, kind: Descriptor['kind']): number {
    const { follower, keepsLinesWhole } = this.options
    if (this.nextDescriptor !== undefined) return lineEnd(bytes, offset)
    if (keepsLinesWhole && canInterleave(kind)) return chunkEnd(bytes, offset)
    if (follower === undefined || follower.room >= bytes.length - offset) return bytes.length
    // Write the rest of a started line to the same file; the follower is called again at the next line.
    return isInsideLine ? lineEnd(bytes, offset) : wholeLinesEnd(bytes, offset, follower.room)
  }
}

/**
 * Calls a function with stack traces disabled: the discarded EAGAIN error of a full pipe costs 6 µs with its stack, half
 * without it.
 */
function withoutStackTrace<T>(call: () => T): T {
  const previousLimit = Error.stackTraceLimit
  try {
    Error.stackTraceLimit = 0
  } catch {
    return call() // the intrinsics are frozen
  }
  try {
    return call()
  } finally {
    Error.stackTraceLimit = previousLimit
  }
}
