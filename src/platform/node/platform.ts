import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers, pooledLength } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './end-of-turn.ts'
import { guardExit } from './exit-guard.ts'

const usual = byteBuffers()
// Chunks of one length reuse each other's buffers.
const large = byteBuffers()

/** Node, and what is like it. */
export const nodePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  buffers: (batchBytes = 0) => (batchBytes > pooledLength ? large : usual),
  binaryBuffers: byteBuffers('latin1'),
  guardExit,
}
