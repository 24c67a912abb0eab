import { membersOf } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { callHook, hookIsRunning } from '../hooks.ts'
import type { ShapeNode } from './shapes.ts'

/** An Error under one of these keys is the record's exception, the first one present counting most. */
export const exceptionKeys: readonly string[] = ['err', 'error']

const identity: Serializer = (value) => value

/** The serializers, and one that does nothing for each key that may hold the exception: so all of them are asked about. */
export function withExceptionKeys(serializers: ReadonlyMap<string, Serializer>): ReadonlyMap<string, Serializer> {
  return new Map([...exceptionKeys.map((key) => [key, identity] as const), ...serializers])
}

/** An Error among the attributes. */
interface ErrorMember {
  readonly node: ShapeNode
  readonly error: object
}

/** The Errors among a record's attributes: they are written when it is known which one is the record's exception. */
export class ErrorMembers {
  private found: ErrorMember[] = []

  get isEmpty(): boolean {
    return this.found.length === 0
  }

  clear(): void {
    if (this.found.length > 0) this.found = []
  }

  /** Whether the member of this key waits. */
  has(key: string): boolean {
    return this.found.some(({ node }) => node.key === key)
  }

  /** All of them, and with `choose` the record's exception apart. */
  take(choose: boolean): { readonly chosen: ErrorMember | undefined; readonly others: readonly ErrorMember[] } {
    const { found } = this
    this.found = []
    const chosen = choose ? (found.find(({ node }) => node.key === 'err') ?? found[0]) : undefined
    return { chosen, others: found.filter((member) => member !== chosen) }
  }

  /** What the serializer of a key makes of a member; undefined where that is an Error, which waits here. */
  serialized(value: unknown, node: ShapeNode): unknown {
    const serializer = node.serializer!
    const mayHoldError = exceptionKeys.includes(node.key)
    let result = value
    // A Map under such a key is an Error of a snapshot.
    if (serializer !== identity && value !== undefined && value !== null && !(mayHoldError && value instanceof Map)) {
      // What a serializer logs is not serialized by it again: with fresh objects that would have no end.
      result = hookIsRunning(serializer) ? '[Circular]' : callHook(serializer, () => serializer(value))
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

/** What a user's serializer made of an Error, as one again: only what it let through. */
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
