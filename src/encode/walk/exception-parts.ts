/**
 * Which attributes of a record came from its exception, and were not set by the call under the same names. `resolveRecord` returns a record
 * with such attributes, whose member `exception` is this object instead of the Error.
 */
export class ExceptionParts {
  readonly #mark = true
  readonly hasType: boolean
  readonly hasMessage: boolean
  readonly hasStacktrace: boolean
  /** The key of the attribute with the other members of the Error and its causes; undefined if there is no such attribute. */
  readonly membersKey: string | undefined

  constructor(hasType: boolean, hasMessage: boolean, hasStacktrace: boolean, membersKey: string | undefined) {
    this.hasType = hasType
    this.hasMessage = hasMessage
    this.hasStacktrace = hasStacktrace
    this.membersKey = membersKey
  }

  /** Returns whether a value is an `ExceptionParts`. `instanceof` would run a proxy's trap, and an exception may be any value. */
  static is(value: unknown): value is ExceptionParts {
    return typeof value === 'object' && value !== null && #mark in value && value.#mark
  }

  /** Returns which part of the exception is written under `key`; undefined if none is. */
  partAt(key: string): 'type' | 'message' | 'stacktrace' | 'members' | undefined {
    if (key === 'exception.type') return this.hasType ? 'type' : undefined
    if (key === 'exception.message') return this.hasMessage ? 'message' : undefined
    if (key === 'exception.stacktrace') return this.hasStacktrace ? 'stacktrace' : undefined
    return key === this.membersKey ? 'members' : undefined
  }
}
