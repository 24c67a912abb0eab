import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'

/**
 * Returns a function that searches a text in a record: in its message or body, its event name, and the values of its attributes, at any
 * depth. At least 8 hexadecimal digits are also searched in the trace ID and the span ID.
 */
export function recordSearch(text: string): (record: ReadRecord) => boolean {
  // Most texts cannot be a part of a number or of a boolean.
  const isInScalars = /^(?:[\d.e+-]+|[a-z]{1,5})$/.test(text)
  const isInIds = isSearchedInIds(text)
  return ({ body, eventName, traceId, spanId, attributes }) =>
    (typeof body === 'string' ? body.includes(text) : body !== undefined && hasText(body, text, isInScalars)) ||
    eventName?.includes(text) === true ||
    (isInIds && (traceId?.includes(text) === true || spanId?.includes(text) === true)) ||
    hasText(attributes, text, isInScalars)
}

/** Returns whether a text that is searched can be a part of a trace ID or a span ID, and is not in most of them by chance. */
export function isSearchedInIds(text: string): boolean {
  return /^[\da-f]{8,32}$/.test(text)
}

/** Returns whether a value contains a text. It is not recursive, because values can be nested more deeply than the stack. */
function hasText(root: AnyValue, text: string, isInScalars: boolean): boolean {
  const pending: AnyValue[] = [root]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      if (value.includes(text)) return true
    } else if (value instanceof Map) {
      for (const member of (value as AnyValueMap).values()) pending.push(member)
    } else if (Array.isArray(value)) {
      for (const item of value as readonly AnyValue[]) pending.push(item)
    } else if (isInScalars && value !== null && typeof value !== 'object' && String(value).includes(text)) return true
  }
  return false
}
