import { member } from '../../options/own-members.ts'
import { builtinModule } from './builtin-module.ts'

/**
 * Whether this is the main thread. `node:worker_threads` provides this, but loading it takes 2 ms of each process start. In a
 * worker thread Node marks `process.chdir` as `disabled`; other runtimes do not.
 */
export const isMainThread: boolean = isPlainNode()
  ? member(process.chdir as { readonly disabled?: boolean }, 'disabled') !== true
  : (builtinModule('node:worker_threads')?.isMainThread ?? true)

/** Returns whether the runtime is Node, and not one that claims to be Node for compatibility. */
function isPlainNode(): boolean {
  const isOtherRuntime = (['bun', 'deno'] as const).some((name) => member(process.versions, name) !== undefined)
  return process.release.name === 'node' && !isOtherRuntime
}
