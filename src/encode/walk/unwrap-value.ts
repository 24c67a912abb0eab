import { isOnEveryObject, member } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { RedactState } from '../../redact/redact.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { callHook, isHookRunning } from '../hooks.ts'
import { bufferOf, entriesOf, headersOf, itemsOf, viewOf } from './collections.ts'
import { errorData, errorMembers } from './error-members.ts'
import { Members } from './members.ts'
import { scalarOf } from './scalars.ts'

/**
 * Returns the value that is logged for an object that is neither a plain object nor an array: a scalar, `Members`, `Items`, `Bytes`, the
 * result of its `toJSON`, or the object itself if its own properties are logged. Built-ins are read with the original built-in methods, so
 * that a subclass or an own property cannot replace them.
 *
 * @param path - the keys that lead to the value, from `path[1]` to `path[depth]`
 * @throws what a proxy trap, a getter or a hook throws.
 */
export function unwrapValue(
  value: object,
  state: RedactState,
  mayHook: boolean,
  path: readonly string[],
  depth: number,
  limits: ResolvedLimits,
): unknown {
  const limit = limits.items
  if (isError(value)) return errorMembers(value, state, path.slice(1, depth + 1), limits)
  if (ArrayBuffer.isView(value)) return viewOf(value, limit)
  const tag = tagOf(value)
  const scalar = scalarOf(value, tag)
  if (scalar !== undefined) return scalar
  if (mayHook) {
    const hook: unknown = member(value as { toJSON?: unknown }, 'toJSON')
    if (typeof hook === 'function') {
      return isHookRunning(value) ? '[Circular]' : callHook(value, (): unknown => hook.call(value, path[depth]))
    }
  }
  const collection = collectionOf(value, tag, limit)
  if (collection instanceof Members && !state.inert) return errorData(collection, state, path.slice(1, depth + 1))
  return collection ?? (isOpaque(value, tag) ? `[${opaqueName(value, tag)}]` : value)
}

function collectionOf(value: object, tag: string, limit: number): unknown {
  if (tag === 'Map' || value instanceof Map) return entriesOf(value, limit)
  if (tag === 'Set' || value instanceof Set) return itemsOf(value, limit)
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return bufferOf(value, limit)
  if (tag === 'Headers') return headersOf(value, limit)
  // Their members are getters of the class, so without a serializer they would be written as {}.
  if (tag === 'Request') return standardSerializers.get('req')!(value)
  if (tag === 'Response') return standardSerializers.get('res')!(value)
  return undefined
}

/** Returns whether reading the value would consume it, or would write the internals of a stream instead of data. */
function isOpaque(value: object, tag: string): boolean {
  switch (tag) {
    case 'Promise':
      return typeof member(value as { then?: unknown }, 'then') === 'function'
    case 'WeakMap':
    case 'WeakSet':
    case 'WeakRef':
    case 'ReadableStream':
    case 'WritableStream':
    case 'TransformStream':
      return true
    default: {
      const next = inherited(value, 'next')
      const on = inherited(value, 'on')
      const pipe = on === undefined ? undefined : inherited(value, 'pipe')
      if (typeof next === 'function' && typeof inherited(value, Symbol.iterator) === 'function') return true
      if (typeof next === 'function' && /Generator$|Iterator$/.test(tag)) return true
      return (
        typeof on === 'function' &&
        (typeof pipe === 'function' || (!isOnEveryObject('writableEnded') && 'writableEnded' in value))
      )
    }
  }
}

/**
 * Returns a member that the object inherits from its class. Own members are not read, because a getter must run only once, when it is
 * written.
 */
function inherited(value: object, key: string | symbol): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null) return undefined
  // A polluted Object.prototype may have any member.
  if (isOnEveryObject(key) && member(value as Record<string | symbol, unknown>, key) === undefined) return undefined
  return prototype === Object.prototype ? undefined : Reflect.get(prototype, key, value)
}

function opaqueName(value: object, tag: string): string {
  if (tag !== 'Object') return tag
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'Object'
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
