import { isFollowEvent, type FollowItem } from '../../read/follow/follow-item.ts'
import { newRecordReader } from '../../read/record-batches.ts'
import type { TextJoiner } from './text-joiner.ts'

/** How long lines are read before other work of the process runs, in ms. */
const sliceMillis = 10

/**
 * Adds the records of followed lines until the input ends.
 *
 * @param name - the name of the input, which is the origin of its records
 * @param onEvent - called with what happened to the input, such as a rotation
 */
export async function addLines(
  name: string,
  items: AsyncIterable<FollowItem>,
  sink: TextJoiner,
  onEvent: (message: string) => void,
): Promise<void> {
  const reader = newRecordReader(name, sink, {})
  const flush = (): void => {
    reader.flush()
    sink.flush()
  }
  let sliceEnd = performance.now() + sliceMillis
  for await (const item of items) {
    if (!isFollowEvent(item)) reader.read(item)
    else if (item.event === 'quiet') flush()
    else onEvent(item.message)
    // Chunks of a large file are available without waiting.
    if (performance.now() < sliceEnd) continue
    await nextTurn()
    sliceEnd = performance.now() + sliceMillis
  }
  flush()
}

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
