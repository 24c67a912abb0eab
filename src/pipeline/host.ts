import type { ByteBuffers } from './batch-buffer.ts'
import type { ExporterHost } from './exporter.ts'

/** What a pipeline needs of the runtime. Handed in: this floor has no timers, no clock and no Buffer of its own. */
export interface PipelineHost extends ExporterHost {
  readonly buffers: ByteBuffers
  /** The same for text that is bytes, one of them a character. */
  readonly binaryBuffers: ByteBuffers
  /** Calls back once the current turn of the event loop is over, and keeps the process alive until then. */
  endOfTurn(callback: () => void): () => void
  /** Calls back before the event loop goes on. */
  microtask(callback: () => void): void
  /** Calls back after a delay in ms. The process need not stay alive for it unless `keepAlive(true)`. */
  delay(millis: number, callback: () => void): { cancel(): void; keepAlive(alive: boolean): void }
  /** Calls a function, and attributes the work that it starts to exporters; see `RunAs` of the platform. */
  runAs<T>(owner: 'exporter', call: () => T): T
  /** Called when a flush begins, with the time that it may take, in ms. Must not throw. */
  readonly flushing: ((timeoutMillis: number) => void) | undefined
  /** Whether what waits is written when the process exits; else the process stays alive for it. */
  readonly drainsAtExit: boolean
  /** Whether the runtime reports no exit. An exporter then keeps a process alive only while a flush waits. */
  readonly reportsNoExit: boolean
}
