import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './timers.ts'

const buffers = byteBuffers()

/** What browsers and the edge have in common. Nobody is told there of the end. */
export const edgePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  buffers: () => buffers,
  binaryBuffers: byteBuffers('latin1'),
  guardExit: undefined,
}
