/** The level as the call named it, which formats do not color or rename. */
export const LEVEL: unique symbol = Symbol.for('level')
/** The finished text of a record. */
export const MESSAGE: unique symbol = Symbol.for('message')
/** What a call was given behind its message. */
export const SPLAT: unique symbol = Symbol.for('splat')

/** A record as winston's formats and transports know it. */
export interface TransformableInfo {
  level: string
  message: unknown
  [LEVEL]?: string
  [MESSAGE]?: unknown
  [SPLAT]?: unknown
  [key: string | symbol]: unknown
}

/** A step of a format: it changes the info and returns it, or something false for a record that is left out. */
export interface Format {
  transform(info: TransformableInfo, options?: unknown): TransformableInfo | boolean
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
