import type { ReadRecord } from '../record.ts'
import { MergeHeap } from './merge-heap.ts'
import { compareSources, type RecordSource } from './record-source.ts'

const batchRecords = 256
const batchBytes = 1_048_576
/** The number of batches after which other work of the process runs. */
const batchesPerTurn = 16

/** Yields the records of several sources in order, in batches. */
export async function* mergeSources(sources: readonly RecordSource[]): AsyncGenerator<readonly ReadRecord[]> {
  const heap = new MergeHeap(compareSources)
  try {
    for (const source of sources) if (await source.fill()) heap.add(source)
    let batch: ReadRecord[] = []
    let bytes = 0
    let batches = 0
    for (let source = heap.first; source !== undefined; source = heap.first) {
      const { record } = source.current!
      batch.push(record)
      bytes += record.raw.length
      if (batch.length === batchRecords || bytes >= batchBytes) {
        yield batch
        batch = []
        bytes = 0
        if (++batches % batchesPerTurn === 0) await nextTurn()
      }
      if (source.next() || (await source.fill())) heap.updateFirst()
      else heap.removeFirst()
    }
    if (batch.length > 0) yield batch
  } finally {
    for (const source of sources) await source.close()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
