import { writeSync } from 'node:fs'
import type { Descriptor } from './descriptor.ts'
import { lineEnd, pieceEnd } from './line-chunks.ts'
import { FilePace } from './slow-file.ts'

const newline = new Uint8Array([10])

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
  private readonly openDescriptor: () => Descriptor
  private readonly sharedPipe: boolean
  private readonly now: () => number

  /** @param open may throw the system's error, and is then called again at the next attempt. */
  constructor(open: () => Descriptor, sharedPipe: boolean, now: () => number) {
    this.openDescriptor = open
    this.sharedPipe = sharedPipe
    this.now = now
  }

  /** What is written to at the moment; undefined while it could not be opened. */
  get descriptor(): Descriptor | undefined {
    return this.current
  }

  /**
   * Opens, changes over and ends a torn line, whichever is due before the next byte. `insideLine`: the last one written
   * did not end a line.
   *
   * @throws the system's error.
   */
  prepare(insideLine: boolean): Descriptor {
    if (this.next !== undefined && !insideLine) this.changeOver()
    const current = (this.current ??= this.open())
    if (this.torn && writeSync(current.fd, newline, 0, 1) === 1) this.torn = false
    return current
  }

  /**
   * Writes what the destination takes at once of the bytes from `offset` on. `full`: it took a part, and would refuse the
   * rest now; a refusal costs more than the write.
   *
   * @throws the system's error; EAGAIN when it takes none.
   */
  write(bytes: Uint8Array, offset: number, insideLine: boolean): { readonly written: number; readonly full: boolean } {
    const { fd, kind } = this.prepare(insideLine)
    const end = this.end(bytes, offset, kind)
    if (kind !== 'file') {
      const written = withoutStack(() => writeSync(fd, bytes, offset, end - offset))
      return { written, full: offset + written < end }
    }
    const start = this.now()
    const written = writeSync(fd, bytes, offset, end - offset)
    this.pace.wroteSync(this.now() - start)
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
    const descriptor = this.openDescriptor()
    this.torn = descriptor.torn
    return descriptor
  }

  private changeOver(): void {
    this.current?.close()
    this.current = this.next
    this.next = undefined
    this.torn = this.current!.torn
    this.pace = new FilePace()
  }

  private end(bytes: Uint8Array, offset: number, kind: Descriptor['kind']): number {
    if (this.next !== undefined) return lineEnd(bytes, offset)
    return this.sharedPipe && (kind === 'fifo' || kind === 'socket') ? pieceEnd(bytes, offset) : bytes.length
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
