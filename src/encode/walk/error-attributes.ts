import { membersOf } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { callHook, isHookRunning } from '../hooks.ts'
import type { ShapeNode } from './shapes.ts'

/** The keys under which an Error becomes the record's exception, in order of precedence. */
export const exceptionKeys: readonly string[] = ['err', 'error']

const identity: Serializer = (value) => value

/** Returns the serializers, with an identity serializer for each exception key that has none, so that its values are checked for Errors. */
export function withExceptionKeys(serializers: ReadonlyMap<string, Serializer>): ReadonlyMap<string, Serializer> {
  return new Map([...exceptionKeys.map((key) => [key, identity] as const), ...serializers])
}

/** An Error among the attributes. */
interface ErrorMember {
  readonly node: ShapeNode
  readonly error: object
}

/** The Errors among a record's attributes. They are written once the record's exception is chosen. */
export class ErrorMembers {
  private found: ErrorMember[] = []

  get isEmpty(): boolean {
    return this.found.length === 0
  }

  clear(): void {
    if (this.found.length > 0) this.found = []
  }

  /** Returns whether an Error with this key is pending. */
  has(key: string): boolean {
    return this.found.some(({ node }) => node.key === key)
  }

  /** Returns and removes all Errors. With `choose`, the record's exception is separate from the others. */
  take(choose: boolean): { readonly chosen: ErrorMember | undefined; readonly others: readonly ErrorMember[] } {
    const { found } = this
    this.found = []
    const chosen = choose ? (found.find(({ node }) => node.key === 'err') ?? found[0]) : undefined
    return { chosen, others: found.filter((member) => member !== chosen) }
  }

  /** Applies the serializer of a member's key. Returns undefined if the result is an Error, which is kept here. */
  serialized(value: unknown, node: ShapeNode): unknown {
    const serializer = node.serializer!
    const mayHoldError = exceptionKeys.includes(node.key)
    let result = value
    // A Map under an exception key is an Error that was already captured as data.
    if (serializer !== identity && value !== undefined && value !== null && !(mayHoldError && value instanceof Map)) {
      // A serializer is not applied to what it logs itself, because with new objects that would never terminate.
      result = isHookRunning(serializer) ? '[Circular]' : callHook(serializer, () => serializer(value))
    }
    if (!mayHoldError) return result
    if (isError(result)) {
      this.found.push({ node, error: result })
      return undefined
    }
    if (result !== value && isError(value)) this.found.push({ node, error: asError(result) })
    return result
  }
}

/** Returns the result of a user's serializer of an Error in the form of an Error, with only the members that the serializer returned. */
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
