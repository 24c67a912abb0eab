import { writeSync } from '../../platform/node/write-sync.ts'
import { canInterleave, type Descriptor } from './descriptor.ts'
import type { FileFollower } from '../file/file-follower.ts'
import { lineEnd, pieceEnd, wholeLinesEnd } from './line-chunks.ts'
import { FilePace } from '../file/slow-file.ts'

/** So often a line looks for another file: one to leave a file that is moved, one to find the next one full as well. */
const mostMoves = 3
const newline = new Uint8Array([10])

/** What a target writes to, and how. */
export interface WriteTargetOptions {
  /** May throw the system's error, and is then called again at the next attempt. */
  readonly open: () => Descriptor
  /** Write to pipes and sockets in pieces of whole lines and at most PIPE_BUF bytes. */
  readonly keepsLinesWhole: boolean
  /** Ms of a clock that does not jump. */
  readonly now: () => number
  /** Says in which file a line goes, where that can change. */
  readonly follower: FileFollower | undefined
  /** Takes a descriptor to which nothing more is written. */
  readonly retire: (descriptor: Descriptor) => void
}

/** What is to be written: the bytes from `offset` on. */
export interface Writing {
  readonly bytes: Uint8Array
  readonly offset: number
  /** The byte before these did not end a line. */
  readonly insideLine: boolean
  /** How much room a line must find at least, in bytes, where it is longer than what is there of it. */
  readonly lineRoom: number
}

/**
 * The open destination of a writer: which descriptor the next byte goes to, and in what pieces.
 *
 * Invariant: a descriptor is only changed between two lines, and a line that nobody will finish is ended by a newline
 * before anything else is written.
 */
export class WriteTarget {
  /** The destination ends inside a line whose rest was given up. */
  torn = false
  pace: FilePace = new FilePace()
  private current: Descriptor | undefined
  private next: Descriptor | undefined
  private readonly options: WriteTargetOptions

  constructor(options: WriteTargetOptions) {
    this.options = options
  }

  /** What is written to at the moment; undefined while it could not be opened. */
  get descriptor(): Descriptor | undefined {
    return this.current
  }

  /**
   * Opens, changes over and ends a torn line, whichever is due before the next byte.
   *
   * @param now ms, where the caller knows it.
   * @returns what to write to, and up to where.
   * @throws the system's error.
   */
  prepare(writing: Writing, now?: number): { readonly descriptor: Descriptor; readonly end: number } {
    if (!writing.insideLine && this.next !== undefined) this.changeOver()
    this.current ??= this.open()
    if (!writing.insideLine) this.follow(writing, now)
    const { current } = this
    if (this.torn && writeSync(current.fd, newline, 0, 1) === 1) this.torn = false
    return { descriptor: current, end: this.end(writing, current.kind) }
  }

  /**
   * Writes what the destination takes at once. `full`: it took a part, and would refuse the rest now; a refusal costs more
   * than the write.
   *
   * @throws the system's error; EAGAIN when it takes none.
   */
  write(writing: Writing): { readonly written: number; readonly full: boolean } {
    const { bytes, offset } = writing
    const { follower, now } = this.options
    const asked = follower === undefined ? undefined : now()
    const { descriptor, end } = this.prepare(writing, asked)
    const { fd, kind } = descriptor
    if (kind !== 'file') {
      const written = withoutStack(() => writeSync(fd, bytes, offset, end - offset))
      return { written, full: offset + written < end }
    }
    const start = asked ?? now()
    const written = writeSync(fd, bytes, offset, end - offset)
    this.pace.wroteSync(now() - start)
    return { written, full: written === 0 }
  }

  /** Whether the next write should leave the event loop: a slow file that nobody but us moves in. */
  get slow(): boolean {
    return this.pace.slow && this.current?.own === true
  }

  /** Opens the destination unless it is open. @throws the system's error. */
  ensureOpen(): Descriptor {
    return (this.current ??= this.open())
  }

  /** Goes on with another descriptor; at once when no line is half written. */
  switchTo(descriptor: Descriptor, insideLine: boolean): void {
    this.next?.close()
    this.next = descriptor
    if (!insideLine) this.changeOver()
  }

  /** Releases what was opened here. */
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

  /** Goes where the line is to go, and asks there how much fits. */
  private follow({ bytes, offset, lineRoom }: Writing, asked: number | undefined): void {
    const { follower, now } = this.options
    if (follower === undefined) return
    let time = asked ?? now()
    for (let moves = 0; moves < mostMoves && time >= follower.askAt; moves++) {
      const next = follower.next(this.current!, { bytes, offset, lineRoom, torn: this.torn })
      if (next === undefined) return
      const { pace } = this
      this.next = next === 'gone' ? undefined : next
      this.changeOver()
      // The same path, so most probably the same disk.
      this.pace = pace
      this.current ??= this.open()
      time = now()
    }
  }

  private changeOver(): void {
    if (this.current !== undefined) this.options.retire(this.current)
    this.current = this.next
    this.next = undefined
    this.torn = this.current?.torn ?? false
    this.pace = new FilePace()
  }

  private end({ bytes, offset, insideLine }: Writing, kind: Descriptor['kind']): number {
    const { follower, keepsLinesWhole } = this.options
    if (this.next !== undefined) return lineEnd(bytes, offset)
    if (keepsLinesWhole && canInterleave(kind)) return pieceEnd(bytes, offset)
    if (follower === undefined || follower.room >= bytes.length - offset) return bytes.length
    // What is left of a line goes where it was begun; then the course is asked again.
    return insideLine ? lineEnd(bytes, offset) : wholeLinesEnd(bytes, offset, follower.room)
  }
}

/** A full pipe answers with an Error that nobody sees; without its stack it costs half of 6 µs. */
function withoutStack<T>(call: () => T): T {
  const limit = Error.stackTraceLimit
  try {
    Error.stackTraceLimit = 0
  } catch {
    return call() // frozen intrinsics
  }
  try {
    return call()
  } finally {
    Error.stackTraceLimit = limit
  }
}
