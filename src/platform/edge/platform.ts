import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './timers.ts'

const textBuffers = byteBuffers()

/** The platform of browsers and edge runtimes. They do not signal their exit. */
export const edgePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  textBuffers: () => textBuffers,
  binaryBuffers: byteBuffers('latin1'),
  createTextBuffers: () => byteBuffers(),
  onFailure: undefined,
  guardExit: undefined,
}
