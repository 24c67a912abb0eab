type BuiltinName =
  | 'node:async_hooks'
  | 'node:http'
  | 'node:https'
  | 'node:perf_hooks'
  | 'node:tty'
  | 'node:v8'
  | 'node:worker_threads'

/**
 * Returns a built-in module of Node, or undefined if it does not exist. It is not imported, because framework middleware also
 * runs on edge runtimes, where importing a Node module fails.
 */
export function builtinModule<Name extends BuiltinName>(
  name: Name,
): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.(name)
  } catch {
    return undefined // an edge runtime that defines the name and throws when it is read
  }
}
