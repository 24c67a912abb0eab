import type { Value } from './server-types.ts'

/** The attributes of an exception. */
export interface ExceptionInfo {
  readonly type: string
  readonly message: string
  readonly stack: string
}

/** Returns the exception of a record; undefined without one. */
export function exceptionOf(attributes: Value): ExceptionInfo | undefined {
  if (attributes === null || typeof attributes !== 'object' || attributes.kind !== 'map') return undefined
  const text = (name: string): string => {
    const value = attributes.entries.find(([key]) => key === `exception.${name}`)?.[1]
    return typeof value === 'string' ? value : ''
  }
  const exception = { type: text('type'), message: text('message'), stack: text('stacktrace') }
  return exception.type + exception.message + exception.stack === '' ? undefined : exception
}

/** Returns attributes without the stack, which is shown elsewhere. */
export function withoutStack(attributes: Value): Value {
  if (attributes === null || typeof attributes !== 'object' || attributes.kind !== 'map') return attributes
  return { ...attributes, entries: attributes.entries.filter(([key]) => key !== 'exception.stacktrace') }
}
