import type { OnDiagnostic } from '../../../options/configuration-error.ts'

/** Writes the lines of a destination, through a queue or directly to the descriptor. Only `reopen` throws. */
export interface Sink {
  /** -1 for a queued file, because it may be reopened for any write. */
  readonly fd: number
  readonly file: string | null
  /** Number of queued bytes. */
  readonly queuedBytes: number
  write(data: string | Uint8Array, severity: number): void
  /** Resolves to an error if not everything was written. */
  flush(): Promise<Error | undefined>
  flushSync(deadlineMillis?: number): void
  reopen(file?: string): void
  close(): Promise<void>
}

/** Callbacks of a sink. */
export interface SinkEvents {
  failed(error: Error): void
  wrote(bytes: number): void
  /** Called with data that was not written, or only partially. */
  dropped(data: string | Uint8Array): void
  opened(): void
  readonly reportDiagnostic: OnDiagnostic
}
