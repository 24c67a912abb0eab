import { GatherBuffer } from './gather-buffer.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import { writeAll } from './write-pieces.ts'

/** The callback of a writer. */
export interface WriterEvents {
  /**
   * Called once, when nothing more can be written. It can be called during `write` and while the program waits for input.
   *
   * @param error - the system's error; undefined if the reader has closed the pipe, which is normal: `| head -1`
   */
  readonly onClosed: (error: unknown) => void
}

/** Milliseconds after which gathered text is written although there is less than a piece, because the input may be quiet. */
const quietMillis = 20

/** Writes text to a descriptor synchronously, so that a slow reader slows down the reading of the input and no text waits in memory. */
export class DescriptorWriter implements TextWriter {
  isClosed = false
  private readonly fd: number
  private readonly events: WriterEvents
  private readonly gathered = new GatherBuffer((bytes, length) => this.writePiece(bytes, length))
  private timer: NodeJS.Timeout | undefined
  private hasWritten = false

  constructor(fd: number, events: WriterEvents) {
    this.fd = fd
    this.events = events
  }

  write(text: string): void {
    if (this.isClosed) return
    this.gathered.add(text)
    this.scheduleFlush()
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.isClosed) return
    this.gathered.addBytes(bytes)
    this.scheduleFlush()
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.isClosed) this.gathered.flush()
  }

  close(): Promise<void> {
    this.flush()
    this.isClosed = true
    return Promise.resolve()
  }

  /** Discards what is gathered and all that is written later. */
  discard(): void {
    clearTimeout(this.timer)
    this.isClosed = true
  }

  private scheduleFlush(): void {
    if (this.timer !== undefined) return
    // The first text is written at once, so that it is seen while the rest of a large file is read.
    if (this.hasWritten) this.timer = setTimeout(() => this.flush(), quietMillis)
    else this.flush()
  }

  private writePiece(bytes: Uint8Array, length: number): void {
    this.hasWritten = true
    if (this.isClosed) return
    try {
      if (writeAll(this.fd, bytes, length)) return
      this.end(undefined)
    } catch (error) {
      this.end(error)
    }
  }

  private end(error: unknown): void {
    this.discard()
    this.events.onClosed(error)
  }
}
