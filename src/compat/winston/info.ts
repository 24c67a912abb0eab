/** The level that was passed to the call. Formats do not color or rename it. */
export const LEVEL: unique symbol = Symbol.for('level')
/** The finished text of a record. */
export const MESSAGE: unique symbol = Symbol.for('message')
/** The arguments that follow the message of a call. */
export const SPLAT: unique symbol = Symbol.for('splat')

/**
 * The Error from which the members `message`, `stack` and `cause` of the info were copied. The redaction rules for the Error apply to these
 * copies too. Removed before formats run.
 */
export const ERROR_SOURCE: unique symbol = Symbol('error')

/**
 * A `FilledMessage`. A transport with redaction rules writes it instead of the message: the rules need the complete arguments, and
 * `format.splat()` may have truncated them in the message.
 */
export const FILLED_MESSAGE: unique symbol = Symbol('template')

/** A message whose placeholders were replaced by `format.splat()`. */
export interface FilledMessage {
  /** The message with its placeholders. */
  readonly message: string
  /** The arguments that replace the placeholders. */
  readonly args: readonly unknown[]
  /** The message after its placeholders were replaced. */
  readonly filled: string
}

/** A record in the form that winston's formats and transports use. */
export interface TransformableInfo {
  /** The displayed level. Formats may color it. */
  level: string
  /** The message. */
  message: unknown
  /** The level that was passed to the call. */
  [LEVEL]?: string
  /** The finished text, which transports write. */
  [MESSAGE]?: unknown
  /** The arguments that follow the message of the call. */
  [SPLAT]?: unknown
  /** Other members of the record. */
  [key: string | symbol]: unknown
}

/** A format, or one of several that are combined. It changes the info and returns it, or returns a falsy value to omit the record. */
export interface Format {
  /** Changes the info and returns it, or returns a falsy value to omit the record. */
  transform(info: TransformableInfo, options?: unknown): TransformableInfo | boolean
  /** Second argument of `transform`. */
  options?: object | undefined
}

/** Converts a value to text. A custom format may have set any value, so this never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return String(value)
  } catch {
    return '[Object]'
  }
}
