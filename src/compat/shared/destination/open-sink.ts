import type { Sink, SinkEvents } from './sink.ts'
import { SyncSink } from './sync-sink.ts'
import { openQueuedSink } from './queued-sink.ts'
import type { DestinationOptions } from './options.ts'

/**
 * Opens the sink for the options. Bytes (`contentMode: 'buffer'`) are always written synchronously, because a queue accepts only text.
 *
 * @throws the error of the system call, if the sink is synchronous and its file cannot be opened
 */
export function openSink(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return options.sync === true || options.contentMode === 'buffer'
    ? new SyncSink(pathOrFd, options, events)
    : openQueuedSink(pathOrFd, options, events)
}
