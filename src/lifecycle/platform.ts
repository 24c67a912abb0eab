import type { ByteBuffers } from '../pipeline/batch-buffer.ts'

/** The runtime services that pipelines and their owners require, implemented for each kind of runtime. */
export interface Platform {
  /** Returns monotonic time in ms, which does not jump with the wall clock. */
  monotonic(): number
  /**
   * Runs a callback at the end of the current event-loop turn, and keeps the process alive until then.
   *
   * @returns a function that cancels it
   */
  endOfTurn(callback: () => void): () => void
  /** Runs a callback before the event loop continues. */
  microtask(callback: () => void): void
  /** Runs a callback after a delay in ms. The process does not stay alive for it unless `keepAlive(true)` is called. */
  delay(milliseconds: number, callback: () => void): Delay
  /** Returns the buffers for encodings of text, for batches of at most `batchBytes`, or of the default size without it. */
  textBuffers(batchBytes: number | undefined): ByteBuffers
  /** The buffers for binary encodings, whose text has one character per byte. */
  readonly binaryBuffers: ByteBuffers
  /** Creates buffers for encodings of text that no batch shares. */
  createTextBuffers(): ByteBuffers
  /**
   * Calls a function when an exception was not caught, when a rejection was not handled, and when the process exits with a code other than
   * 0, before pipelines drain. Undefined in runtimes that do not signal the exit.
   *
   * @returns a function that stops this
   */
  readonly onFailure: ((callback: () => void) => () => void) | undefined
  /**
   * Drains a pipeline when the process exits. Undefined in runtimes that do not signal the exit.
   *
   * @returns a function that stops guarding the pipeline
   */
  readonly guardExit: ((guarded: GuardedPipeline) => () => void) | undefined
}

/**
 * Who has started work, such as a timer or a socket. Once the event loop has become empty, because the program has finished, new work
 * of exporters can delay the exit only for a limited time, and new work of the program, such as that of a `beforeExit` listener,
 * without a limit.
 */
export type WorkOwner = 'exporter' | 'program'

/** Calls a function, and attributes the timers, sockets and other work that it starts to an owner. */
export type RunAs = <T>(owner: WorkOwner, call: () => T) => T

/** A delay that can be canceled. */
export interface Delay {
  /** Cancels the delay. Does nothing after the callback was called. */
  cancel(): void
  /** Sets whether the process must stay alive until the callback is called. */
  keepAlive(alive: boolean): void
}

/**
 * Why a pipeline must drain now. `signal`: the process may exit or continue, so the remaining records stay queued and their number is
 * reported. `exit`: the process exits, so the remaining records count as dropped. `withoutBlocking`: if there are several pipelines, each is
 * drained with it before any is drained with `signal` or `exit`. It then writes only what does not block, so that a
 * stalled destination does not use up the time of the others.
 */
export type DrainOccasion = 'withoutBlocking' | 'signal' | 'exit'

/** A pipeline as the exit guard uses it. None of its functions may throw; errors are ignored. */
export interface GuardedPipeline {
  /**
   * Called when the event loop is empty: exports records that only the event loop can export, for at most `millis`, and keeps the
   * process alive meanwhile.
   *
   * @returns a promise that resolves to whether everything was exported; undefined if there is nothing to export in this way
   */
  finish?(millis: number): Promise<{ readonly ok: boolean }> | undefined
  /** Exports without the event loop until `deadline`, in ms of `monotonic()`. */
  drain(deadline: number, occasion: DrainOccasion): void
  /** Called after all pipelines have drained for the exit of the process. From then on no record may stay queued. */
  afterExit(): void
  /** Whether SIGTERM, SIGINT and SIGHUP are handled for this pipeline. */
  readonly handleSignals: boolean
  /** How long the exit of the process may be delayed for this pipeline, in ms. */
  readonly exitTimeoutMillis: number
}
