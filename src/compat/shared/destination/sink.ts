import type { OnDiagnostic } from '../../../options/configuration-error.ts'

/**
 * Writes the lines of a destination, through a queue or directly to the descriptor. Only `reopen` throws. `close` never rejects.
 */
export interface Sink {
  /** -1 for a queued file, because it may be reopened for any write. */
  readonly fd: number
  /** The path of the file; null for a file descriptor. */
  readonly file: string | null
  /** Number of queued bytes. */
  readonly queuedBytes: number
  write(data: string | Uint8Array, severity: number): void
  /** Resolves to an error if not everything was written. */
  flush(): Promise<Error | undefined>
  /** Writes everything without the event loop, for at most `timeoutMillis`; default: `exitTimeoutMillis` of the profile. */
  flushSync(timeoutMillis?: number): void
  reopen(file?: string): void
  close(): Promise<void>
}

/** Callbacks of a sink. */
export interface SinkEvents {
  /** Called with an error of a write, or of opening the file of a queued sink. */
  onError(error: Error): void
  /** Called after each synchronous write, with the number of bytes. */
  onWrite(bytes: number): void
  /** Called with data that was not written, or only partially. */
  onDrop(data: string | Uint8Array): void
  /** Called after the file was opened, and after each `reopen`. */
  onOpen(): void
  readonly reportDiagnostic: OnDiagnostic
}
