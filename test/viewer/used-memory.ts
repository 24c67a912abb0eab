import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns the memory that is in use, in bytes. Memory of buffers is freed by another thread, some time after the garbage collection. */
export async function usedMemory(): Promise<number> {
  let lowest = Infinity
  for (let tries = 0; tries < 3; tries++) {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    lowest = Math.min(lowest, heapUsed + arrayBuffers)
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
  return lowest
}
