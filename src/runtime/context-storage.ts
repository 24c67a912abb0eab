import { AsyncLocalStorage } from 'node:async_hooks'
import { define } from '../record/define.ts'

/** A value that belongs to the asynchronous call chain at hand. */
export interface ContextStorage<T> {
  /** The innermost value; undefined outside of every `run`. Costs nothing until `run` is called for the first time. */
  get(): T | undefined
  /** Calls `fn`; in it, and in all it starts, `get()` is `value`. Returns and throws what `fn` does. */
  run<R>(value: T, fn: () => R): R
}

/**
 * The storage of one name. All copies of this package in a process (ESM and CommonJS, two versions) share it: it stands
 * on `globalThis[Symbol.for('sluice/v1/' + name)]`, frozen.
 */
export function contextStorage<T>(name = 'context'): ContextStorage<T> {
  const key = Symbol.for(`sluice/v1/${name}`)
  const shared = globalThis as unknown as Record<symbol, ContextStorage<T> | undefined>
  const existing = shared[key]
  if (existing !== undefined) return existing
  const created = newStorage<T>()
  define(shared, key, { value: created })
  return created
}

function newStorage<T>(): ContextStorage<T> {
  // Made at the first use: an AsyncLocalStorage that nobody uses is a lookup in each log call all the same.
  let storage: AsyncLocalStorage<T> | undefined
  return Object.freeze({
    get: () => (storage === undefined ? undefined : storage.getStore()),
    run<R>(value: T, fn: () => R): R {
      storage ??= new AsyncLocalStorage<T>()
      return storage.run(value, fn)
    },
  })
}
