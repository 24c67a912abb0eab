import type { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { define } from '../../options/define-member.ts'
import { builtinModule } from './builtin-module.ts'
import { member, ownCopy } from '../../options/own-members.ts'

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

/** Calls a function in the call chain that stood when it was made: its contexts, and its span. */
export type Chain = <R>(fn: () => R) => R

/** The call chain at hand, for what is said of it later by somebody else's. */
export function thisChain(): Chain {
  if (Resource === undefined) return Storage === undefined ? (fn) => fn() : Storage.snapshot()
  // A hundredth of what a snapshot of Node's takes.
  const resource = new Resource('sluice', resourceOptions)
  return (fn) => resource.runInAsyncScope(fn)
}

// Without a prototype: Node reads `defaultValue`.
const storageOptions = ownCopy({})
const resourceOptions = ownCopy({ requireManualDestroy: true })

function newStorage<T>(): ContextStorage<T> {
  // Made at the first use: an AsyncLocalStorage that nobody uses is a lookup in each log call all the same.
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

/** The types of Node do not have the options yet. */
type WithOptions = new <T>(options: object) => AsyncLocalStorage<T>

/** Some of the edge has the first of them as a global. */
interface Hooks {
  readonly AsyncLocalStorage: typeof AsyncLocalStorage
  readonly AsyncResource: typeof AsyncResource
}

/** Whether there are call chains here. Without, nothing stays with a request but what is handed on. */
export const hasChains: boolean = Storage !== undefined
