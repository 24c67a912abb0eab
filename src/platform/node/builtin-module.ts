type BuiltinName =
  | 'node:async_hooks'
  | 'node:http'
  | 'node:https'
  | 'node:perf_hooks'
  | 'node:tty'
  | 'node:v8'
  | 'node:worker_threads'

/**
 * A module of Node's; undefined where there is none. Asked for instead of imported: middleware of frameworks also runs at the edge,
 * where an import of Node's would not load.
 */
export function builtinModule<Name extends BuiltinName>(
  name: Name,
): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.(name)
  } catch {
    return undefined // an edge that has the name, and throws when it is read
  }
}
