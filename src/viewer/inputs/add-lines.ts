import { isFollowEvent, type FollowItem } from '../../read/follow/follow-item.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import { newRecordReader } from '../../read/record-batches.ts'

/**
 * Adds the records of followed lines until the input ends.
 *
 * @param name - the name of the input, which is the origin of its records
 * @param onEvent - called with what happened to the input, such as a rotation
 */
export async function addLines(
  name: string,
  items: AsyncIterable<FollowItem>,
  sink: RecordSink,
  onEvent: (message: string) => void,
): Promise<void> {
  const reader = newRecordReader(name, sink, {})
  for await (const item of items) {
    if (!isFollowEvent(item)) reader.read(item)
    else if (item.event === 'quiet') reader.flush()
    else onEvent(item.message)
  }
  reader.flush()
}
