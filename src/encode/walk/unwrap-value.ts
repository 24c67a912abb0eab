import { isOnEveryObject, member } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { RedactState } from '../../redact/redact.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { callHook, mustSkipHook } from '../hooks.ts'
import { bufferOf, entriesOf, headersOf, itemsOf, viewOf } from './collections.ts'
import { redactedErrorData, errorMembers } from './error-members.ts'
import { Members } from './members.ts'
import { scalarOf } from './scalars.ts'

/**
 * Returns the value that is logged for an object that is not an array: a scalar, `Members`, `Items`, `Bytes`, the result of its `toJSON`,
 * a marker such as `[Promise]`, or the object itself if its own properties are logged. A Map, Set, ArrayBuffer, Headers, Date or wrapper
 * object is read with the original built-in methods, so that a subclass or an own property cannot replace them.
 *
 * @param mayCallToJSON - whether `toJSON` is called; false for the result of another `toJSON`
 * @param path - the keys that lead to the value, from `path[1]` to `path[depth]`
 * @throws what a proxy trap, a getter or a hook throws.
 */
export function unwrapValue(
  value: object,
  state: RedactState,
  mayCallToJSON: boolean,
  path: readonly string[],
  depth: number,
  limits: ResolvedLimits,
): unknown {
  const maxItems = limits.items
  if (isError(value)) return errorMembers(value, state, path.slice(1, depth + 1), limits)
  if (ArrayBuffer.isView(value)) return viewOf(value, maxItems)
  const tag = tagOf(value)
  const scalar = scalarOf(value, tag)
  if (scalar !== undefined) return scalar
  if (mayCallToJSON) {
    const toJSON: unknown = member(value as { toJSON?: unknown }, 'toJSON')
    if (typeof toJSON === 'function') {
      return mustSkipHook(value) ? '[Circular]' : callHook(value, (): unknown => toJSON.call(value, path[depth]))
    }
  }
  const contents = builtInContents(value, tag, maxItems)
  // In bound attributes, an Error is a Map with its type, message and stack. Other `Members` are returned unchanged.
  if (contents instanceof Members && !state.hasNoRules)
    return redactedErrorData(contents, state, path.slice(1, depth + 1))
  return contents ?? (isOpaque(value, tag) ? `[${opaqueName(value, tag)}]` : value)
}

/** Returns the contents of a collection, bytes, Headers, Request or Response; undefined for other objects. */
function builtInContents(value: object, tag: string, maxItems: number): unknown {
  if (tag === 'Map' || value instanceof Map) return entriesOf(value, maxItems)
  if (tag === 'Set' || value instanceof Set) return itemsOf(value, maxItems)
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return bufferOf(value, maxItems)
  if (tag === 'Headers') return headersOf(value, maxItems)
  // The members of fetch's Request and Response are getters of the class, so without a serializer they would be written as {}.
  if (tag === 'Request') return standardSerializers.get('req')!(value)
  if (tag === 'Response') return standardSerializers.get('res')!(value)
  return undefined
}

/**
 * Returns whether only the name of the type is written: the value has no readable contents (a promise, a weak reference or collection),
 * reading would consume it (an iterator), or its members are the internals of a stream.
 */
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
      const next = inheritedMember(value, 'next')
      const on = inheritedMember(value, 'on')
      const pipe = on === undefined ? undefined : inheritedMember(value, 'pipe')
      if (typeof next === 'function' && typeof inheritedMember(value, Symbol.iterator) === 'function') return true
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
function inheritedMember(value: object, key: string | symbol): unknown {
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

/** Returns the type of an object as `Object.prototype.toString` reports it, without `[object ]`. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
