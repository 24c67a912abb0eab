/**
 * The key of a logger's function that emits the parsed calls of a captured console. All copies of this package in a process use the
 * same key.
 */
export const emitCallKey: unique symbol = Symbol.for('sluice/v1/say') as never

/** Returns whether a value is a logger that `createLogger` of any copy of this package returned, or a child of one. */
export function isOwnLogger(value: unknown): boolean {
  const { [emitCallKey]: emitCall } = Object(value) as { readonly [emitCallKey]?: unknown }
  return typeof emitCall === 'function'
}

/**
 * The key of a function that returns the redaction patterns of a logger, for a captured console, which formats text before it logs.
 * Loggers of older copies of this package do not have it.
 */
export const patternsKey: unique symbol = Symbol.for('sluice/v1/patterns') as never

/** One call of a captured console whose arguments are already parsed. Names in braces in its message are not replaced. */
export interface LogCall {
  /** The message: text, in which printf placeholders are replaced if there are `args`, or any single value. */
  readonly body: unknown
  /** Arguments to insert into the body, printf style. */
  readonly args: readonly unknown[] | undefined
  readonly attributes: object | undefined
  readonly exception: unknown
  /** Further values, which are logged as the attribute `args`. */
  readonly extra: readonly unknown[] | undefined
}

/** Returns a call that logs only a text or another single value. */
export function logCallOf(body: unknown): LogCall {
  return { body, args: undefined, attributes: undefined, exception: undefined, extra: undefined }
}

/** Logs a call at the level with this name; does nothing if the logger has no such level or it is disabled. Never throws. */
export type EmitCall = (level: string, call: LogCall) => void
