import { writeSync } from '../../platform/node/write-sync.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower } from '../file/file-follower.ts'
import { lineEnd, chunkEnd, wholeLinesEnd } from './line-chunks.ts'
import { FilePace } from '../file/slow-file.ts'

/** How many times a line may change files: once to leave a file that was renamed, and again if the next one is full too. */
const MAX_MOVES = 3
const newline = new Uint8Array([10])

/** The destination of a target, and how it is written. */
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

/** The bytes to write, from `offset` on. */
export interface Writing {
  readonly bytes: Uint8Array
  readonly offset: number
  /** Whether the byte before `offset` is not the end of a line. */
  readonly insideLine: boolean
  /** The minimum room that a line needs, in bytes, if it is longer than the part in `bytes`. */
  readonly lineRoom: number
}

/**
 * The open destination of a writer. It selects the descriptor for the next byte and the size of each chunk.
 *
 * Invariant: the descriptor changes only between two lines, and an abandoned line is ended with a newline before anything else
 * is written.
 */
export class WriteTarget {
  /** Whether the destination ends with an incomplete line whose rest was abandoned. */
  torn = false
  pace: FilePace = new FilePace()
  private current: Descriptor | undefined
  private next: Descriptor | undefined
  private readonly options: WriteTargetOptions

  constructor(options: WriteTargetOptions) {
    this.options = options
  }

  /** The current descriptor, or undefined if the destination has not been opened. */
  get descriptor(): Descriptor | undefined {
    return this.current
  }

  /**
   * Opens the destination, changes the descriptor and ends an incomplete line, if needed before the next byte.
   *
   * @param now - Monotonic time in ms, if the caller has it already.
   * @returns The descriptor to write to, and the offset where this write must end.
   * @throws The system's error.
   */
  prepare(writing: Writing, now?: number): { readonly descriptor: Descriptor; readonly end: number } {
    if (!writing.insideLine && this.next !== undefined) this.changeDescriptor()
    this.current ??= this.open()
    if (!writing.insideLine) this.follow(writing, now)
    const { current } = this
    if (this.torn && writeSync(current.fd, newline, 0, 1) === 1) this.torn = false
    return { descriptor: current, end: this.end(writing, current.kind) }
  }

  /**
   * Writes what the destination accepts without blocking. `full`: the destination accepted only a part and would refuse the
   * rest now; trying would cost more than the write.
   *
   * @throws The system's error; EAGAIN if it accepts nothing.
   */
  write(writing: Writing): { readonly written: number; readonly full: boolean } {
    const { bytes, offset } = writing
    const { follower, now } = this.options
    const nowBefore = follower === undefined ? undefined : now()
    const { descriptor, end } = this.prepare(writing, nowBefore)
    const { fd, kind } = descriptor
    if (kind !== 'file') {
      const written = withoutStack(() => writeSync(fd, bytes, offset, end - offset))
      return { written, full: offset + written < end }
    }
    const start = nowBefore ?? now()
    const written = writeSync(fd, bytes, offset, end - offset)
    this.pace.wroteSync(now() - start)
    return { written, full: written === 0 }
  }

  /** Whether the next write should use the thread pool: the file is slow, and only this writer moves its position. */
  get slow(): boolean {
    return this.pace.slow && this.current?.own === true
  }

  /**
   * Opens the destination unless it is open.
   *
   * @throws The system's error.
   */
  ensureOpen(): Descriptor {
    return (this.current ??= this.open())
  }

  /** Switches to another descriptor: now if no line is partially written, otherwise after that line. */
  switchTo(descriptor: Descriptor, insideLine: boolean): void {
    this.next?.close()
    this.next = descriptor
    if (!insideLine) this.changeDescriptor()
  }

  /** Closes the descriptors of this target. */
  close(): void {
    this.next?.close()
    this.current?.close()
    this.next = this.current = undefined
  }

  private open(): Descriptor {
    const descriptor = this.options.open()
    this.torn = descriptor.torn
    return descriptor
  }

  /** Changes to the file that the next line belongs in, and lets the follower compute how much room it has. */
  private follow({ bytes, offset, lineRoom }: Writing, nowBefore: number | undefined): void {
    const { follower, now } = this.options
    if (follower === undefined) return
    let time = nowBefore ?? now()
    for (let moves = 0; moves < MAX_MOVES && time >= follower.nextCheckAt; moves++) {
      const next = follower.next(this.current!, { bytes, offset, lineRoom, torn: this.torn })
      if (next === undefined) return
      const { pace } = this
      this.next = next === 'gone' ? undefined : next
      this.changeDescriptor()
      // The path is the same, so the disk most likely is too.
      this.pace = pace
      this.current ??= this.open()
      time = now()
    }
  }

  private changeDescriptor(): void {
    if (this.current !== undefined) this.options.retire(this.current)
    this.current = this.next
    this.next = undefined
    this.torn = this.current?.torn ?? false
    this.pace = new FilePace()
  }

  private end({ bytes, offset, insideLine }: Writing, kind: Descriptor['kind']): number {
    const { follower, keepsLinesWhole } = this.options
    if (this.next !== undefined) return lineEnd(bytes, offset)
    if (keepsLinesWhole && canInterleave(kind)) return chunkEnd(bytes, offset)
    if (follower === undefined || follower.room >= bytes.length - offset) return bytes.length
    // Write the rest of a started line to the same file; the follower is called again at the next line.
    return insideLine ? lineEnd(bytes, offset) : wholeLinesEnd(bytes, offset, follower.room)
  }
}

/**
 * Calls a function with stack traces disabled: the discarded EAGAIN error of a full pipe costs 6 µs with its stack, half
 * without it.
 */
function withoutStack<T>(call: () => T): T {
  const limit = Error.stackTraceLimit
  try {
    Error.stackTraceLimit = 0
  } catch {
    return call() // the intrinsics are frozen
  }
  try {
    return call()
  } finally {
    Error.stackTraceLimit = limit
  }
}
