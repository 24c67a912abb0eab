/**
 * Which attributes of a record came from its exception: what the call said under these names itself is not among them. A
 * record that was walked into data carries it in the place of its exception.
 */
export class ExceptionParts {
  readonly #mark = true
  readonly type: boolean
  readonly message: boolean
  readonly stacktrace: boolean
  /** The key of the object that holds the Error's own members; undefined where it has none. */
  readonly members: string | undefined

  constructor(type: boolean, message: boolean, stacktrace: boolean, members: string | undefined) {
    this.type = type
    this.message = message
    this.stacktrace = stacktrace
    this.members = members
  }

  /** Not by `instanceof`, which would ask a proxy's trap: an exception may be anything. */
  static is(value: unknown): value is ExceptionParts {
    return typeof value === 'object' && value !== null && #mark in value && value.#mark
  }

  /** The part that stands under `key`. */
  partAt(key: string): 'type' | 'message' | 'stacktrace' | 'members' | undefined {
    if (key === 'exception.type') return this.type ? 'type' : undefined
    if (key === 'exception.message') return this.message ? 'message' : undefined
    if (key === 'exception.stacktrace') return this.stacktrace ? 'stacktrace' : undefined
    return key === this.members ? 'members' : undefined
  }
}
