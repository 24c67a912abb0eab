import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers, pooledLength } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './end-of-turn.ts'
import { guardExit } from './exit-guard.ts'
import { onFailure } from './on-failure.ts'

const defaultTextBuffers = byteBuffers()
// Separate from the default buffers, because a set of buffers expects its next batch to be about as long as its last one.
const largeTextBuffers = byteBuffers()

/** The platform of Node and compatible runtimes. */
export const nodePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  textBuffers: (batchBytes = 0) => (batchBytes > pooledLength ? largeTextBuffers : defaultTextBuffers),
  binaryBuffers: byteBuffers('latin1'),
  createTextBuffers: () => byteBuffers(),
  onFailure,
  guardExit,
}
