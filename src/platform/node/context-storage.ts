import type { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { define } from '../../options/define-member.ts'
import { builtinModule } from './builtin-module.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** A value that belongs to the current asynchronous call chain. */
export interface ContextStorage<T> {
  /** Returns the innermost value; undefined outside of every `run`. Costs nothing until `run` is called for the first time. */
  get(): T | undefined
  /**
   * Calls `fn`; `get()` returns `value` in it and in everything it starts, if the runtime supports call chains (`supportsCallChains`).
   * Returns and throws what `fn` does.
   */
  run<R>(value: T, fn: () => R): R
}

/**
 * Returns the storage with a name. All copies of this package in a process (ESM and CommonJS, two versions) share it: the
 * frozen storage is in `globalThis[Symbol.for('sluice/v1/' + name)]`.
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

/** Calls `fn` in the call chain that `captureCallChain` has captured, with the contexts and the span of that chain. */
export type RunInChain = <R>(fn: () => R) => R

/** Captures the current call chain, for code that runs later in another one. Without `supportsCallChains`, the result only calls `fn`. */
export function captureCallChain(): RunInChain {
  if (Resource === undefined) return Storage === undefined ? (fn) => fn() : Storage.snapshot()
  // An AsyncResource costs a hundredth of `AsyncLocalStorage.snapshot()`.
  const resource = new Resource('sluice', resourceOptions)
  return (fn) => resource.runInAsyncScope(fn)
}

// Objects without a prototype, because Node would read a `defaultValue` or `triggerAsyncId` on `Object.prototype`.
const storageOptions = withoutPrototype({})
const resourceOptions = withoutPrototype({ requireManualDestroy: true })

function newStorage<T>(): ContextStorage<T> {
  // Created by the first `run`: an unused AsyncLocalStorage would still cost a lookup in each log call.
  let storage: AsyncLocalStorage<T> | undefined
  return Object.freeze({
    get: () => (storage === undefined ? undefined : storage.getStore()),
    run<R>(value: T, fn: () => R): R {
      if (Storage === undefined) return fn()
      storage ??= new (Storage as StorageConstructor)<T>(storageOptions)
      return storage.run(value, fn)
    },
  })
}

const asyncHooks: Partial<AsyncHooks> = builtinModule('node:async_hooks') ?? (globalThis as Partial<AsyncHooks>)
const Storage = member(asyncHooks, 'AsyncLocalStorage')
const Resource = member(asyncHooks, 'AsyncResource')

/** The constructor with options, which the installed Node types do not declare yet. */
type StorageConstructor = new <T>(options: object) => AsyncLocalStorage<T>

/** The members of `node:async_hooks` in use. Some edge runtimes provide only AsyncLocalStorage, as a global. */
interface AsyncHooks {
  readonly AsyncLocalStorage: typeof AsyncLocalStorage
  readonly AsyncResource: typeof AsyncResource
}

/** Whether the runtime supports call chains. Without them, only values that are passed on explicitly belong to a request. */
export const supportsCallChains: boolean = Storage !== undefined
