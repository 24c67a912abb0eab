import { LogHeadReader } from '../otlp/log-head.ts'
import { ProtoReader } from '../otlp/proto-reader.ts'
import type { LogStore } from '../store/log-store.ts'
import { recordsOf, type RecordBlock } from './record-block.ts'

const head = new LogHeadReader()

/** Adds the records of a block to a store. Returns their number, which is smaller if the block is damaged. */
export function addBlock(store: LogStore, block: RecordBlock): number {
  const { source, sourceId, received } = block
  let count = 0
  for (const message of recordsOf(block)) {
    try {
      head.read(new ProtoReader(message), message.length)
    } catch {
      break
    }
    // A source is only known while it has records.
    const number = store.sources.numberOf(`database ${sourceId}`, () => source)
    store.add(message, 0, message.length, number, head, received, false)
    count++
  }
  return count
}
