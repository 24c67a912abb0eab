import type { Sink, SinkEvents } from './sink.ts'
import { SyncSink } from './sync-sink.ts'
import { queuedSink } from './queued-sink.ts'
import type { DestinationOptions } from './options.ts'

/** Opens the sink for the options. Throws for a file that cannot be opened only if the destination is synchronous. */
export function openSink(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return options.sync === true || options.contentMode === 'buffer'
    ? new SyncSink(pathOrFd, options, events)
    : queuedSink(pathOrFd, options, events)
}
