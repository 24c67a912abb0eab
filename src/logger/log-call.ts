/**
 * The key of a logger's function that emits the parsed calls of compat APIs. All copies of this package in a process use the same
 * key.
 */
export const emitCallKey: unique symbol = Symbol.for('sluice/v1/say') as never

/**
 * The key of a function that returns the redaction patterns of a logger, for a compat API that formats text before it logs.
 * Loggers of older copies of this package do not have it.
 */
export const patternsKey: unique symbol = Symbol.for('sluice/v1/patterns') as never

/** One call of a compat API with its arguments parsed: none has to be assigned by type, and no names in braces are replaced. */
export interface LogCall {
  /** The message: text, which contains placeholders if there are `args`, or any single value. */
  readonly body: unknown
  /** Arguments to insert into the body, printf style. */
  readonly args: readonly unknown[] | undefined
  readonly attributes: object | undefined
  readonly exception: unknown
  /** Other values: logged as the attribute `args`. */
  readonly extra: readonly unknown[] | undefined
}

/** Returns a call that logs only a text or another single value. */
export function logCallOf(body: unknown): LogCall {
  return { body, args: undefined, attributes: undefined, exception: undefined, extra: undefined }
}

/** Logs a call at the level with this name; does nothing if the logger has no such level. Never throws. */
export type EmitCall = (level: string, call: LogCall) => void
