import { GCProfiler, getHeapStatistics } from 'node:v8'

/** V8 flags that allow 150 MB of allocations without a collection, so that heap statistics include all of them. */
export const noCollectionFlags: readonly string[] = ['--min-semi-space-size=256', '--max-semi-space-size=256']

/** V8 flags that disable optimization, because machine code is allocated on the heap at any time. */
export const noCompilationFlags: readonly string[] = ['--no-opt', '--no-maglev']

/**
 * Returns how many bytes an action allocates: objects, text, and buffers outside the heap.
 *
 * @throws if a collection occurred, because the number is then unknown.
 */
export async function allocatedBy(action: () => void | Promise<void>): Promise<number> {
  collect()
  const profiler = new GCProfiler()
  profiler.start()
  const before = inUse()
  await action()
  const after = inUse()
  const { statistics } = profiler.stop()
  if (statistics.length > 0) throw new Error(`${statistics.length} collections; ${after - before} bytes remain`)
  return after - before
}

/** Returns the bytes on the heap after a collection, and the bytes of buffers. */
export async function retainedMemory(): Promise<{ readonly heap: number; readonly buffers: number }> {
  // Wait until promises and immediates that have just run are released.
  await new Promise((resolve) => setTimeout(resolve, 1))
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}

function inUse(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

function collect(): void {
  if (globalThis.gc === undefined) throw new Error('needs --expose-gc')
  globalThis.gc()
}
