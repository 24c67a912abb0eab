import type { Platform } from '../../lifecycle/platform.ts'
import { byteBuffers } from './byte-buffers.ts'
import { delay, endOfTurn, microtask, monotonic } from './timers.ts'

const textBuffers = byteBuffers()
const encoder = new TextEncoder()

/** The platform of browsers and edge runtimes. They do not signal their exit. */
export const edgePlatform: Platform = {
  monotonic,
  endOfTurn,
  microtask,
  delay,
  textBuffers: () => textBuffers,
  binaryBuffers: byteBuffers('latin1'),
  isOneByte: (text) => encoder.encode(text).length === text.length,
  onFailure: undefined,
  guardExit: undefined,
}
