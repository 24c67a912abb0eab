/**
 * Which attributes of a record came from its exception, and were not set by the call under the same names. A record that was walked into
 * data has this object as its exception.
 */
export class ExceptionParts {
  readonly #mark = true
  readonly type: boolean
  readonly message: boolean
  readonly stacktrace: boolean
  /** The key of the object with the Error's own members; undefined if it has none. */
  readonly members: string | undefined

  constructor(type: boolean, message: boolean, stacktrace: boolean, members: string | undefined) {
    this.type = type
    this.message = message
    this.stacktrace = stacktrace
    this.members = members
  }

  /** Returns whether a value is an `ExceptionParts`. `instanceof` would run a proxy's trap, and an exception may be any value. */
  static is(value: unknown): value is ExceptionParts {
    return typeof value === 'object' && value !== null && #mark in value && value.#mark
  }

  /** Returns which part is written under `key`. */
  partAt(key: string): 'type' | 'message' | 'stacktrace' | 'members' | undefined {
    if (key === 'exception.type') return this.type ? 'type' : undefined
    if (key === 'exception.message') return this.message ? 'message' : undefined
    if (key === 'exception.stacktrace') return this.stacktrace ? 'stacktrace' : undefined
    return key === this.members ? 'members' : undefined
  }
}
