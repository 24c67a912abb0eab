import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { DestinationOptions } from './options.ts'
import { queuedSink } from './queued-sink.ts'
import { SyncSink } from './sync-sink.ts'

/** Writes the lines of a destination, through a queue or directly to the descriptor. Only `reopen` throws. */
export interface Sink {
  /** -1 for a queued file, because it may be reopened for any write. */
  readonly fd: number
  readonly file: string | null
  /** Number of queued bytes. */
  readonly waiting: number
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

/** Opens the sink for the options. Throws for a file that cannot be opened only if the destination is synchronous. */
export function openSink(place: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return options.sync === true || options.contentMode === 'buffer'
    ? new SyncSink(place, options, events)
    : queuedSink(place, options, events)
}
