/** The level as the call named it, which formats do not color or rename. */
export const LEVEL: unique symbol = Symbol.for('level')
/** The finished text of a record. */
export const MESSAGE: unique symbol = Symbol.for('message')
/** What a call was given behind its message. */
export const SPLAT: unique symbol = Symbol.for('splat')

/** The Error whose texts the call has put among the members: rules for it hold for these. No format sees it. */
export const SOURCE: unique symbol = Symbol('error')

/** A message before `format.splat()` has filled its placeholders, which cuts what it inserts, and what that has come to. */
export const TEMPLATE: unique symbol = Symbol('template')

/** What `format.splat()` has filled. */
export interface Template {
  readonly message: string
  readonly args: readonly unknown[]
  /** The message with the arguments. */
  readonly filled: string
}

/** A record as winston's formats and transports know it. */
export interface TransformableInfo {
  /** The level as it is shown: formats may color it. */
  level: string
  /** The message. */
  message: unknown
  /** The level as the call named it. */
  [LEVEL]?: string
  /** The finished text, which transports write. */
  [MESSAGE]?: unknown
  /** What the call was given behind its message. */
  [SPLAT]?: unknown
  /** What else the record says. */
  [key: string | symbol]: unknown
}

/** A step of a format: it changes the info and returns it, or something false for a record that is left out. */
export interface Format {
  /** Changes the info and returns it; returns something false to leave the record out. */
  transform(info: TransformableInfo, options?: unknown): TransformableInfo | boolean
  /** What `transform` is called with behind the info. */
  options?: object | undefined
}

/** The text of a format that somebody else may have written: never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return String(value)
  } catch {
    return '[Object]'
  }
}
