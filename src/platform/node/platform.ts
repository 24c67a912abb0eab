import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers, pooledLength } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './end-of-turn.ts'
import { guardExit } from './exit-guard.ts'

const defaultBuffers = byteBuffers()
// Chunks of one length reuse each other's buffers.
const largeBuffers = byteBuffers()

/** The platform of Node and compatible runtimes. */
export const nodePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  buffers: (batchBytes = 0) => (batchBytes > pooledLength ? largeBuffers : defaultBuffers),
  binaryBuffers: byteBuffers('latin1'),
  guardExit,
}
