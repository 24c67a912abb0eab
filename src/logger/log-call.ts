/** Where every logger of this package takes what a front has put into its places; loggers of other copies are asked by the same key. */
export const emitCallKey: unique symbol = Symbol.for('sluice/v1/say') as never

/** Returns the patterns of a logger's rules, for a front that makes text before it logs it. Loggers of older copies have none. */
export const patternsKey: unique symbol = Symbol.for('sluice/v1/patterns') as never

/** What one call of a front said, everything in its place: no argument has to be found, and no name in braces is inserted. */
export interface LogCall {
  /** Text, with `args` one with placeholders; or any one value. */
  readonly body: unknown
  /** Arguments to insert into the body, printf style. */
  readonly args: readonly unknown[] | undefined
  readonly attributes: object | undefined
  readonly exception: unknown
  /** Values without a place of their own: logged as the attribute `args`. */
  readonly extra: readonly unknown[] | undefined
}

/** What a call says that is only a text, or another single value. */
export function logCallOf(body: unknown): LogCall {
  return { body, args: undefined, attributes: undefined, exception: undefined, extra: undefined }
}

/** Logs it at a level by name; one that the logger does not have logs nothing. Never throws. */
export type EmitCall = (level: string, call: LogCall) => void
