import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { DestinationOptions } from './options.ts'
import { queuedSink } from './queued-sink.ts'
import { SyncSink } from './sync-sink.ts'

/** Where a destination's lines end: behind a queue, or in the descriptor at once. None of it throws, `reopen` excepted. */
export interface Sink {
  /** -1 for a file behind a queue: it may be opened anew for any write. */
  readonly fd: number
  readonly file: string | null
  /** What waits, in bytes. */
  readonly waiting: number
  write(data: string | Uint8Array, severity: number): void
  /** The error, where not everything was written. */
  flush(): Promise<Error | undefined>
  flushSync(deadlineMillis?: number): void
  reopen(file?: string): void
  close(): Promise<void>
}

/** What a sink tells. */
export interface SinkEvents {
  failed(error: Error): void
  wrote(bytes: number): void
  /** What was not written, or only in part. */
  dropped(data: string | Uint8Array): void
  opened(): void
  readonly reportDiagnostic: OnDiagnostic
}

/** Opens the sink that the options ask for. A file that cannot be opened throws where the destination is synchronous. */
export function openSink(place: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return options.sync === true || options.contentMode === 'buffer'
    ? new SyncSink(place, options, events)
    : queuedSink(place, options, events)
}
