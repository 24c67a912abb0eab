import { membersOf } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { callHook, mustSkipHook } from '../hooks.ts'
import type { ShapeNode } from './shapes.ts'

/** The keys under which an Error becomes the record's exception, in order of precedence. */
export const exceptionKeys: readonly string[] = ['err', 'error']

const identity: Serializer = (value) => value

/** Returns the serializers, with an identity serializer for each exception key that has none, so that its values are checked for Errors. */
export function withExceptionKeys(serializers: ReadonlyMap<string, Serializer>): ReadonlyMap<string, Serializer> {
  return new Map([...exceptionKeys.map((key) => [key, identity] as const), ...serializers])
}

/** An Error among the attributes that is not written yet. */
interface PendingError {
  readonly node: ShapeNode
  readonly error: object
}

/** The Errors among a record's attributes. They are kept here until the record's exception is chosen from them. */
export class PendingErrors {
  private pending: PendingError[] = []

  get isEmpty(): boolean {
    return this.pending.length === 0
  }

  clear(): void {
    if (this.pending.length > 0) this.pending = []
  }

  /** Returns whether an Error with this key is pending. */
  has(key: string): boolean {
    return this.pending.some(({ node }) => node.key === key)
  }

  /** Returns and removes all Errors. If `choosesException` is true, `chosen` is the record's exception, and `others` are the rest. */
  takeAll(choosesException: boolean): {
    readonly chosen: PendingError | undefined
    readonly others: readonly PendingError[]
  } {
    const { pending } = this
    this.pending = []
    const chosen = choosesException ? (pending.find(({ node }) => node.key === 'err') ?? pending[0]) : undefined
    return { chosen, others: pending.filter((member) => member !== chosen) }
  }

  /**
   * Returns a member's value after the serializer of its key. Under an exception key, an Error is kept here instead, and undefined is
   * returned. If a serializer converts such an Error, its result is returned, and an Error with the members of the result is kept here too.
   */
  serializeOrKeep(value: unknown, node: ShapeNode): unknown {
    const serializer = node.serializer!
    const isExceptionKey = exceptionKeys.includes(node.key)
    let result = value
    // A Map under an exception key represents an Error in bound attributes, to which the serializer was already applied.
    if (serializer !== identity && value !== undefined && value !== null && !(isExceptionKey && value instanceof Map)) {
      // A serializer is not applied to what it logs itself, because with new objects that would never terminate.
      result = mustSkipHook(serializer) ? '[Circular]' : callHook(serializer, () => serializer(value))
    }
    if (!isExceptionKey) return result
    if (isError(result)) {
      this.pending.push({ node, error: result })
      return undefined
    }
    if (result !== value && isError(value)) this.pending.push({ node, error: asError(result) })
    return result
  }
}

/**
 * Returns the result of a user's serializer of an Error in the form of an Error: with its `type` (or `name`), `message` and `stack`. A
 * result that is not an object is the message.
 */
function asError(result: unknown): object {
  if (typeof result !== 'object' || result === null) return { __proto__: null, message: result }
  const { type, name, message, stack } = membersOf(result as Readonly<Record<string, unknown>>, [
    'type',
    'name',
    'message',
    'stack',
  ])
  return { __proto__: null, name: type ?? name, message, stack }
}
