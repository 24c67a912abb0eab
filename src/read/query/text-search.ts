import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'

/**
 * Returns a function that searches a text in a record: in its message or body, event name, trace ID and span ID, and in the values of its
 * attributes, at any depth.
 */
export function recordSearch(text: string): (record: ReadRecord) => boolean {
  // Most texts cannot be a part of a number or of a boolean.
  const isInScalars = /^(?:[\d.e+-]+|[a-z]{1,5})$/.test(text)
  return ({ body, eventName, traceId, spanId, attributes }) =>
    (typeof body === 'string' ? body.includes(text) : body !== undefined && hasText(body, text, isInScalars)) ||
    (eventName !== undefined && eventName.includes(text)) ||
    (traceId !== undefined && traceId.includes(text)) ||
    (spanId !== undefined && spanId.includes(text)) ||
    hasText(attributes, text, isInScalars)
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
