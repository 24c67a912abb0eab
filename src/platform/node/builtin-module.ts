type BuiltinName =
  | 'node:async_hooks'
  | 'node:buffer'
  | 'node:http'
  | 'node:https'
  | 'node:perf_hooks'
  | 'node:tty'
  | 'node:v8'
  | 'node:worker_threads'

/**
 * Returns a built-in module of Node, or undefined if it does not exist. The module is not imported, because framework
 * middleware also runs on edge runtimes, where an import of a Node module fails.
 */
export function builtinModule<Name extends BuiltinName>(
  name: Name,
): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.(name)
  } catch {
    return undefined // an edge runtime that defines `process` and throws when a member is read
  }
}
