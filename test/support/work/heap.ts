import { GCProfiler, getHeapStatistics } from 'node:v8'

/** V8 flags under which 150 MB can be allocated before anything is collected: then heap statistics tell all of it. */
export const collectsNothing: readonly string[] = ['--min-semi-space-size=256', '--max-semi-space-size=256']

/** V8 flags under which no machine code is made: it stays on the heap, and comes when it comes. */
export const compilesNothing: readonly string[] = ['--no-opt', '--no-maglev']

/**
 * How many bytes an action allocates: objects, text, and buffers outside the heap.
 *
 * @throws when something was collected meanwhile: then nobody knows.
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

/** What is kept: bytes on the heap after all garbage was collected, and bytes of buffers. */
export async function kept(): Promise<{ readonly heap: number; readonly buffers: number }> {
  // What is still held by a promise or an immediate that has just been done is let go of first.
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
