import { builtinModule } from './builtin-module.ts'

/**
 * Whether this is the main thread. `node:worker_threads` has the answer, but loading it takes 2 ms of each process start. In a
 * worker thread Node disables `process.chdir` and marks it; other runtimes do not.
 */
export const isMainThread: boolean = isPlainNode()
  ? (process.chdir as { readonly disabled?: boolean }).disabled !== true
  : (builtinModule('node:worker_threads')?.isMainThread ?? true)

function isPlainNode(): boolean {
  const { bun, deno } = process.versions
  return process.release.name === 'node' && bun === undefined && deno === undefined
}
