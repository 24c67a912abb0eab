/** The level that was passed to the call. Formats do not color or rename it. */
export const LEVEL: unique symbol = Symbol.for('level')
/** The finished text of a record. */
export const MESSAGE: unique symbol = Symbol.for('message')
/** The arguments that follow the message of a call. */
export const SPLAT: unique symbol = Symbol.for('splat')

/** The Error whose texts were copied to members of the info, so that rules for it apply to them. Removed before formats run. */
export const SOURCE: unique symbol = Symbol('error')

/** The message before `format.splat()` replaced its placeholders, which can truncate arguments, and the result. */
export const TEMPLATE: unique symbol = Symbol('template')

/** A message whose placeholders were replaced by `format.splat()`. */
export interface Template {
  readonly message: string
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

/** A step of a format. It changes the info and returns it, or returns a falsy value to omit the record. */
export interface Format {
  /** Changes the info and returns it, or returns a falsy value to omit the record. */
  transform(info: TransformableInfo, options?: unknown): TransformableInfo | boolean
  /** Second argument of `transform`. */
  options?: object | undefined
}

/** Converts a value to text. Never throws, because a custom format may have set it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return String(value)
  } catch {
    return '[Object]'
  }
}
