import { withoutPrototype } from '../options/own-members.ts'
import { followFile } from './follow/follow-file.ts'
import { isFollowEvent, type FollowEventName } from './follow/follow-item.ts'
import { LinkedAbort } from './linked-abort.ts'
import { Arrivals } from './arrivals.ts'
import { BatchSink, newRecordReader, type BatchOptions } from './record-batches.ts'
import type { ReadRecord } from './record.ts'

/**
 * Yields the records of files and then new ones as they are written, in batches, until the signal is aborted.
 *
 * @param tail - how many of the existing lines of each file are read; by default all are
 */
export async function* followRecords(
  files: readonly string[],
  options: BatchOptions,
  tail: number | undefined,
): AsyncGenerator<readonly ReadRecord[]> {
  const abort = new LinkedAbort(withoutPrototype(options).signal)
  const inputs = files.map((file) => followInput(file, { ...options, signal: abort.signal }, tail))
  try {
    yield* new Arrivals(inputs).values()
  } finally {
    // An input that waits for new lines ends with the signal only.
    abort.release()
    abort.abort()
    await Promise.allSettled(inputs.map((input) => input.return(undefined)))
  }
}

async function* followInput(
  file: string,
  options: BatchOptions & { readonly signal: AbortSignal },
  tail: number | undefined,
): AsyncGenerator<readonly ReadRecord[], undefined> {
  const sink = new BatchSink(withoutPrototype(options).accepts)
  const reader = newRecordReader(file, sink, options)
  for await (const item of followFile(file, { signal: options.signal, ...(tail !== undefined && { tail }) })) {
    if (!isFollowEvent(item)) reader.read(item)
    else if (failures.has(item.event)) options.onInputError(file, item.message)
    else reader.flush()
    if (sink.batch.length > 0) yield sink.take()
  }
  reader.flush()
  if (sink.batch.length > 0) yield sink.take()
}

const failures: ReadonlySet<FollowEventName> = new Set(['missing', 'unreadable'])
