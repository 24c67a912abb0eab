import type { MessagePort } from 'node:worker_threads'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { guardExit } from '../../platform/node/exit-guard.ts'
import { done, ended, type Message } from './transport-messages.ts'

/**
 * Maximum number of UTF-16 code units queued for the thread. Over the limit, a log call waits for space. If none becomes free, lines
 * are dropped and counted.
 */
const maxQueuedLength = 16 * 1024 * 1024
/** Number of queued code units from which `write` returns false. */
const highWater = 1024 * 1024
/** Number of code units that are sent in one message. */
const pieceLength = 65_536
const waitMillis = 2_000
/** Maximum time that the process exit, or a flush without the event loop, waits for a thread, in milliseconds. */
export const exitMillis = 10_000

/** Sends lines to a thread. They are buffered until the end of the turn, then in flight until the thread has written them. */
export class LineFeed {
  private readonly port: MessagePort
  private readonly state: Int32Array
  private buffer = ''
  private bufferedLines = 0
  private sent = 0
  /** Pieces in flight, oldest first. */
  private readonly inFlightPieces: { readonly length: number; readonly lines: number }[] = []
  private inFlightLength = 0
  private stalled = false
  private scheduled = false
  private closed = false

  constructor(port: MessagePort, state: Int32Array) {
    this.port = port
    this.state = state
  }

  /** Queues a line. Returns false if there was no space, even after waiting. */
  add(line: string): boolean {
    if (!this.hasRoom(line.length)) return false
    this.buffer += line
    this.bufferedLines++
    if (this.buffer.length >= pieceLength) this.post()
    else this.postSoon()
    return true
  }

  /** Whether so much is queued that the caller should wait. */
  get isHigh(): boolean {
    return this.buffer.length + this.inFlight() >= highWater
  }

  /** Sends the buffered lines to the thread. */
  post(): void {
    if (this.buffer === '' || this.closed) return
    const text = this.buffer
    this.inFlightPieces.push({ length: text.length, lines: this.bufferedLines })
    this.buffer = ''
    this.bufferedLines = 0
    this.sent++
    this.inFlightLength += text.length
    this.send({ text })
  }

  send(message: Message): void {
    this.port.postMessage(message)
  }

  /** Blocks until everything that was sent is written. */
  waitWritten(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.state, done) >= this.sent)
  }

  /** Blocks until the thread has ended. */
  waitEnded(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.state, ended) !== 0)
  }

  /** Stops sending, because the thread accepts nothing more. */
  close(): void {
    this.closed = true
  }

  /** Number of buffered lines and lines in flight, which are lost when the thread exits. */
  get unwritten(): number {
    this.inFlight()
    return this.inFlightPieces.reduce((sum, { lines }) => sum + lines, this.bufferedLines)
  }

  private hasRoom(length: number): boolean {
    const fits = (): boolean => this.buffer.length + this.inFlight() + length <= maxQueuedLength
    if (fits()) {
      this.stalled = false
      return true
    }
    if (this.stalled) return false
    this.post()
    this.waitUntil(monotonic() + waitMillis, fits)
    this.stalled = !fits()
    return !this.stalled
  }

  /** Returns the number of UTF-16 code units in flight. */
  private inFlight(): number {
    const written = Atomics.load(this.state, done)
    while (this.inFlightPieces.length > 0 && this.sent - this.inFlightPieces.length < written)
      this.inFlightLength -= this.inFlightPieces.shift()!.length
    return this.inFlightLength
  }

  private postSoon(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.post()
    })
  }

  private waitUntil(deadline: number, condition: () => boolean): void {
    while (!condition() && !this.closed) {
      const remaining = deadline - monotonic()
      if (remaining <= 0 || Atomics.load(this.state, ended) !== 0) return
      Atomics.wait(this.state, done, Atomics.load(this.state, done), Math.min(remaining, 50))
    }
  }
}

/** Flushes a feed when the process exits, and calls `end` to end the thread. Returns a function that removes the guard. */
export function guardFeed(feed: LineFeed, end: () => void): () => void {
  return guardExit({
    handleSignals: true,
    exitTimeoutMillis: exitMillis,
    drain(deadline, occasion) {
      feed.post()
      if (occasion === 'pass') return
      feed.waitWritten(deadline)
      if (occasion !== 'exit') return
      end()
      feed.waitEnded(deadline)
    },
    afterExit() {},
  })
}
