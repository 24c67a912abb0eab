import type { MessagePort } from 'node:worker_threads'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { guardExit } from '../../platform/node/exit-guard.ts'
import { done, ended, type Message } from './transport-messages.ts'

/** What may wait for the thread, in UTF-16 units. Beyond, a log call waits for room, and in the end a line is lost and counted. */
const mostWaiting = 16 * 1024 * 1024
/** When whoever logs is asked to wait. */
const highWater = 1024 * 1024
/** So much goes in one message. */
const pieceLength = 65_536
const waitMillis = 2_000
/** How long the end of the process, or a flush without the event loop, waits for a thread. */
export const exitMillis = 10_000

/** Lines on their way to a thread: held until the turn ends, then with it until it says that they are written. */
export class LineFeed {
  private readonly port: MessagePort
  private readonly state: Int32Array
  private held = ''
  private heldLines = 0
  private sent = 0
  /** The pieces that are with the thread, oldest first. */
  private readonly pieces: { readonly length: number; readonly lines: number }[] = []
  private waiting = 0
  private stalled = false
  private scheduled = false
  private closed = false

  constructor(port: MessagePort, state: Int32Array) {
    this.port = port
    this.state = state
  }

  /** Takes a line; false where there was no room for it, and for some time there was none. */
  add(line: string): boolean {
    if (!this.hasRoom(line.length)) return false
    this.held += line
    this.heldLines++
    if (this.held.length >= pieceLength) this.post()
    else this.postSoon()
    return true
  }

  /** Whether so much waits that whoever logs should wait as well. */
  get isHigh(): boolean {
    return this.held.length + this.inFlight() >= highWater
  }

  /** Hands the thread what is held. */
  post(): void {
    if (this.held === '' || this.closed) return
    const text = this.held
    this.pieces.push({ length: text.length, lines: this.heldLines })
    this.held = ''
    this.heldLines = 0
    this.sent++
    this.waiting += text.length
    this.send({ text })
  }

  send(message: Message): void {
    this.port.postMessage(message)
  }

  /** Waits, without the event loop, until everything that was posted is written. */
  waitWritten(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.state, done) >= this.sent)
  }

  /** The same until the thread is done. */
  waitEnded(deadline: number): void {
    this.waitUntil(deadline, () => Atomics.load(this.state, ended) !== 0)
  }

  /** The thread takes nothing more. */
  close(): void {
    this.closed = true
  }

  /** How many lines are held or with the thread: once it is gone, they are lost. */
  get unwritten(): number {
    this.inFlight()
    return this.pieces.reduce((sum, { lines }) => sum + lines, this.heldLines)
  }

  private hasRoom(length: number): boolean {
    const fits = (): boolean => this.held.length + this.inFlight() + length <= mostWaiting
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

  /** What is with the thread, in UTF-16 units. */
  private inFlight(): number {
    const written = Atomics.load(this.state, done)
    while (this.pieces.length > 0 && this.sent - this.pieces.length < written)
      this.waiting -= this.pieces.shift()!.length
    return this.waiting
  }

  private postSoon(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.post()
    })
  }

  private waitUntil(deadline: number, isSo: () => boolean): void {
    while (!isSo() && !this.closed) {
      const left = deadline - monotonic()
      if (left <= 0 || Atomics.load(this.state, ended) !== 0) return
      Atomics.wait(this.state, done, Atomics.load(this.state, done), Math.min(left, 50))
    }
  }
}

/** Has what waits written when the process ends, and the thread ended by `end`. Returns what ends the guarding. */
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
