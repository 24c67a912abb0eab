import type { ByteBuffers } from '../pipeline/batch-buffer.ts'

/** What pipelines and whoever owns them need of the runtime, and each kind of runtime has in its own way. */
export interface Platform {
  /** Milliseconds since some moment; they never jump with the wall clock. */
  monotonic(): number
  /**
   * Runs a callback once the current turn of the event loop is over, and keeps the process alive until then.
   *
   * @returns a function that calls it off.
   */
  endOfTurn(callback: () => void): () => void
  /** Runs a callback before the event loop goes on. */
  microtask(callback: () => void): void
  /** Runs a callback after a delay in ms. The process need not stay alive for it unless `keepAlive(true)` is called. */
  delay(milliseconds: number, callback: () => void): Delay
  /** What makes bytes of batches that are not longer than so many bytes; without a number, than is usual. */
  buffers(batchBytes: number | undefined): ByteBuffers
  /** The same for text that is bytes, one of them a character. */
  readonly binaryBuffers: ByteBuffers
  /**
   * Drains a pipeline when the process exits. Undefined in runtimes that do not signal that exit.
   *
   * @returns a function that ends the guarding.
   */
  readonly guardExit: ((guarded: Guarded) => () => void) | undefined
}

/** Whose code runs. After the natural end of the program, work of exporters is bounded, and work of the program is not. */
export type WorkOwner = 'exporter' | 'program'

/** Calls a function, and attributes the timers, sockets and other work that it starts to an owner. */
export type RunAs = <T>(owner: WorkOwner, call: () => T) => T

/** A wait that can be called off. */
export interface Delay {
  /** Calls the wait off; harmless when it is over. */
  cancel(): void
  /** Whether the process must stay alive for it. */
  keepAlive(alive: boolean): void
}

/**
 * Why a pipeline must empty itself now. `pass`: write what needs no waiting, so that a stalled destination does not use up
 * the time of the others. `signal`: the process may end or go on, so what is left stays queued, and its count is told.
 * `exit`: the process ends, so what is left is counted as lost.
 */
export type DrainOccasion = 'pass' | 'signal' | 'exit'

/** A pipeline as an exit guard sees it. None of its functions may throw; what they throw is swallowed. */
export interface Guarded {
  /**
   * Called when the event loop has nothing left to do: exports what only the event loop can export, for at most `millis`, and
   * keeps the process alive meanwhile.
   *
   * @returns a promise that resolves when that is over, to whether all was exported; undefined if there is nothing to export
   * in this way.
   */
  finish?(millis: number): Promise<{ readonly ok: boolean }> | undefined
  /** Writes without the event loop until `deadline`, in ms of `monotonic()`. */
  drain(deadline: number, occasion: DrainOccasion): void
  /** Called once the process has drained for its exit: from now on nothing may wait in a queue. */
  afterExit(): void
  /** Whether SIGTERM, SIGINT and SIGHUP are to be watched for this pipeline. */
  readonly handleSignals: boolean
  /** How long the process may be held up for this pipeline, in ms. */
  readonly exitTimeoutMillis: number
}
