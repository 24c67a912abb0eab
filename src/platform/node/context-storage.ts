import type { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { define } from '../../options/define-member.ts'
import { builtinModule } from './builtin-module.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** A value that belongs to the current asynchronous call chain. */
export interface ContextStorage<T> {
  /** Returns the innermost value; undefined outside of every `run`. Costs nothing until `run` is called for the first time. */
  get(): T | undefined
  /** Calls `fn`; `get()` returns `value` in it and in everything it starts. Returns and throws what `fn` does. */
  run<R>(value: T, fn: () => R): R
}

/**
 * Returns the storage with a name. All copies of this package in a process (ESM and CommonJS, two versions) share it: it is
 * stored in `globalThis[Symbol.for('sluice/v1/' + name)]`, frozen.
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

/** Calls a function in the call chain in which this function was created, with its contexts and its span. */
export type RunInChain = <R>(fn: () => R) => R

/** Returns the current call chain, for code that later runs in another one. */
export function currentChain(): RunInChain {
  if (Resource === undefined) return Storage === undefined ? (fn) => fn() : Storage.snapshot()
  // This costs a hundredth of a Node snapshot.
  const resource = new Resource('sluice', resourceOptions)
  return (fn) => resource.runInAsyncScope(fn)
}

// Use an object without a prototype, because Node reads `defaultValue`.
const storageOptions = ownCopy({})
const resourceOptions = ownCopy({ requireManualDestroy: true })

function newStorage<T>(): ContextStorage<T> {
  // Create it at the first use: an unused AsyncLocalStorage would still cost a lookup in each log call.
  let storage: AsyncLocalStorage<T> | undefined
  return Object.freeze({
    get: () => (storage === undefined ? undefined : storage.getStore()),
    run<R>(value: T, fn: () => R): R {
      if (Storage === undefined) return fn()
      storage ??= new (Storage as WithOptions)<T>(storageOptions)
      return storage.run(value, fn)
    },
  })
}

const found: Partial<Hooks> = builtinModule('node:async_hooks') ?? (globalThis as Partial<Hooks>)
const Storage = member(found, 'AsyncLocalStorage')
const Resource = member(found, 'AsyncResource')

/** The installed Node types do not include these options yet. */
type WithOptions = new <T>(options: object) => AsyncLocalStorage<T>

/** Some edge runtimes provide only AsyncLocalStorage, as a global. */
interface Hooks {
  readonly AsyncLocalStorage: typeof AsyncLocalStorage
  readonly AsyncResource: typeof AsyncResource
}

/** Whether the runtime supports call chains. Without them, only values that are passed on explicitly belong to a request. */
export const hasChains: boolean = Storage !== undefined
