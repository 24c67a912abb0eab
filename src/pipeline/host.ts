import type { ByteBuffers } from './batch-buffer.ts'
import type { ExporterHost } from './exporter.ts'

/**
 * The runtime services that a pipeline requires. Injected, because this layer uses no timers, no clock and no `Buffer` directly.
 */
export interface PipelineHost extends ExporterHost {
  /** The buffers for encodings of text. */
  readonly textBuffers: ByteBuffers
  /** The buffers for binary encodings, whose text has one character per byte. */
  readonly binaryBuffers: ByteBuffers
  /**
   * Runs a callback at the end of the current event-loop turn, and keeps the process alive until then. Returns a function that
   * cancels it.
   */
  endOfTurn(callback: () => void): () => void
  /** Runs a callback before the event loop continues. */
  microtask(callback: () => void): void
  /** Runs a callback after a delay in ms. The process does not stay alive for it unless `keepAlive(true)` is called. */
  delay(millis: number, callback: () => void): { cancel(): void; keepAlive(alive: boolean): void }
  /** Calls a function, and attributes the timers, sockets and other work that it starts to exporters; see `WorkOwner`. */
  attributeWorkTo<T>(owner: 'exporter', call: () => T): T
  /** Called when a flush starts, with its timeout in ms. Must not throw. */
  readonly onFlush: ((timeoutMillis: number) => void) | undefined
  /** Whether queued records are written when the process exits; otherwise the process stays alive for them. */
  readonly drainsAtExit: boolean
  /**
   * Whether the runtime does not signal the exit of the process. An exporter then keeps the process alive only while a flush
   * waits.
   */
  readonly hasNoExitEvent: boolean
}
