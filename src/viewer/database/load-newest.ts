import type { LogStore } from '../store/log-store.ts'
import { addBlock } from './add-block.ts'
import type { LogDatabase } from './log-database.ts'

/** Receives what was read. */
export interface LoadVisitor {
  /** Receives the number of the first record that will be read. */
  start(number: number): void
  /** Receives where records of the file are in memory. */
  block(sequence: number, number: number, count: number): void
  isStopped(): boolean
}

/** The estimated memory of a record with its columns, without its bytes. */
const recordBytes = 25
/** The part of the memory that is filled. The rest is for what arrives meanwhile. */
const filledPart = 0.9
const sliceMillis = 10
const stepBlocks = 8

/** Adds the newest records of a database to a store, as many as it can keep, the oldest of them first. */
export async function loadNewest(database: LogDatabase, store: LogStore, visitor: LoadVisitor): Promise<void> {
  const end = database.nextNumber
  let next = firstToLoad(database, store.maxBytes * filledPart)
  visitor.start(next)
  while (next < end && !visitor.isStopped()) {
    const until = performance.now() + sliceMillis
    while (next < end && performance.now() < until) {
      const blocks = database.blocksFrom(next, stepBlocks)
      for (const block of blocks) {
        // Records that arrived meanwhile are in memory already.
        if (block.first >= end) return
        const { nextSequence } = store
        visitor.block(nextSequence, block.first, addBlock(store, block))
        next = block.first + block.ends.length
      }
      if (blocks.length === 0) return
    }
    visitor.start(next)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

function firstToLoad(database: LogDatabase, maxBytes: number): number {
  let first = database.nextNumber
  let total = 0
  for (const block of database.blockSizes()) {
    total += block.bytes + block.count * recordBytes
    if (total > maxBytes) break
    first = block.first
  }
  return first
}
