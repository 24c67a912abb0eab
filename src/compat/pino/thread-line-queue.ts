import type { MessagePort } from 'node:worker_threads'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { guardExit } from '../../platform/node/exit-guard.ts'
import { writtenPiecesIndex, endedIndex, type ThreadMessage } from './transport-messages.ts'

/**
 * Maximum number of UTF-16 code units queued for the thread. Over the limit, a log call waits up to `maxWaitMillis` for space. If none
 * becomes free, lines are dropped and counted.
 */
const maxQueuedLength = 16 * 1024 * 1024
/** Number of queued code units from which `hasReachedHighWaterMark` is true, so that the stream's `write` returns false. */
const highWaterMark = 1024 * 1024
/** Number of buffered code units from which they are sent at once, rather than in the next `setImmediate`. */
const sendThreshold = 65_536
/** Maximum time that a log call waits for space in the queue, in milliseconds. */
const maxWaitMillis = 2_000
/** Maximum time that the process exit, and by default a synchronous flush, waits for a thread, in milliseconds. */
export const threadTimeoutMillis = 10_000

/**
 * The queue of lines for a thread, which sends them in pieces: messages of one or more lines. Lines are buffered until `setImmediate` or
 * `sendThreshold`, then in flight until the thread has written their piece. Deadlines are times of `monotonic()`.
 */
export class ThreadLineQueue {
  private readonly port: MessagePort
  /** The memory shared with the thread: see `ThreadData`. */
  private readonly sharedState: Int32Array
  /** Lines that were not sent yet. */
  private buffer = ''
  private bufferedLines = 0
  private sentPieces = 0
  /** Pieces in flight, oldest first. */
  private readonly inFlightPieces: { readonly length: number; readonly lines: number }[] = []
  private inFlightLength = 0
  /** Whether the last wait for space ended without space. Until there is space, further lines are dropped without waiting. */
  private isStalled = false
  private isSendScheduled = false
  private isClosed = false

  constructor(port: MessagePort, sharedState: Int32Array) {
    this.port = port
    this.sharedState = sharedState
  }

  /** Queues a line. Returns false if there was no space, even after waiting. */
  add(line: string): boolean {
    if (!this.waitForSpace(line.length)) return false
    this.buffer += line
    this.bufferedLines++
    if (this.buffer.length >= sendThreshold) this.sendBuffered()
    else this.sendBufferedSoon()
    return true
  }

  /** Whether so much is queued that the caller should wait. */
  get hasReachedHighWaterMark(): boolean {
    return this.buffer.length + this.updateInFlightLength() >= highWaterMark
  }

  /** Sends the buffered lines to the thread. */
  sendBuffered(): void {
    if (this.buffer === '' || this.isClosed) return
    const text = this.buffer
    this.inFlightPieces.push({ length: text.length, lines: this.bufferedLines })
    this.buffer = ''
    this.bufferedLines = 0
    this.sentPieces++
    this.inFlightLength += text.length
    this.send({ text })
  }

  send(message: ThreadMessage): void {
    this.port.postMessage(message)
  }

  /** Blocks until everything that was sent is written, the thread has ended, the queue is closed, or the deadline. */
  waitUntilWritten(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.sharedState, writtenPiecesIndex) >= this.sentPieces)
  }

  /** Blocks until the thread has ended, the queue is closed, or the deadline. */
  waitUntilEnded(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.sharedState, endedIndex) !== 0)
  }

  /** Stops sending lines and waiting, because the thread accepts nothing more. */
  close(): void {
    this.isClosed = true
  }

  /** Number of buffered lines and lines in flight, which are lost when the thread exits. */
  get unwrittenLines(): number {
    this.updateInFlightLength()
    return this.inFlightPieces.reduce((sum, { lines }) => sum + lines, this.bufferedLines)
  }

  /** Returns whether there is space for a line of this length. If not, waits for it first, unless the queue is stalled. */
  private waitForSpace(length: number): boolean {
    const fits = (): boolean => this.buffer.length + this.updateInFlightLength() + length <= maxQueuedLength
    if (fits()) {
      this.isStalled = false
      return true
    }
    if (this.isStalled) return false
    this.sendBuffered()
    this.waitUntil(monotonic() + maxWaitMillis, fits)
    this.isStalled = !fits()
    return !this.isStalled
  }

  /** Removes the pieces that the thread has written, and returns the number of UTF-16 code units that are still in flight. */
  private updateInFlightLength(): number {
    const written = Atomics.load(this.sharedState, writtenPiecesIndex)
    while (this.inFlightPieces.length > 0 && this.sentPieces - this.inFlightPieces.length < written)
      this.inFlightLength -= this.inFlightPieces.shift()!.length
    return this.inFlightLength
  }

  private sendBufferedSoon(): void {
    if (this.isSendScheduled) return
    this.isSendScheduled = true
    setImmediate(() => {
      this.isSendScheduled = false
      this.sendBuffered()
    })
  }

  private waitUntil(deadline: number, condition: () => boolean): void {
    while (!condition() && !this.isClosed) {
      const remaining = deadline - monotonic()
      if (remaining <= 0 || Atomics.load(this.sharedState, endedIndex) !== 0) return
      // At most 50 ms at once: a notification that the thread has ended is lost if it is sent just before the wait begins.
      Atomics.wait(
        this.sharedState,
        writtenPiecesIndex,
        Atomics.load(this.sharedState, writtenPiecesIndex),
        Math.min(remaining, 50),
      )
    }
  }
}

/** Flushes a queue on signals and at the process exit. At exit, it also ends the thread. Returns a function that removes the guard. */
export function guardLineQueue(queue: ThreadLineQueue, endThread: () => void): () => void {
  return guardExit({
    handleSignals: true,
    exitTimeoutMillis: threadTimeoutMillis,
    drain(deadline, occasion) {
      queue.sendBuffered()
      // The exit guard first calls all its `drain` functions for what does not block. It then calls them again, and each may wait.
      if (occasion === 'withoutBlocking') return
      queue.waitUntilWritten(deadline)
      if (occasion !== 'exit') return
      endThread()
      queue.waitUntilEnded(deadline)
    },
    afterExit() {},
  })
}
