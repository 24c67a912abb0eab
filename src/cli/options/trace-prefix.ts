import { UsageError } from './usage-error.ts'

/**
 * Returns the first hexadecimal digits of a trace ID in lowercase.
 *
 * @param text - 8 to 32 hexadecimal digits, also in groups with dashes as in a UUID
 * @throws UsageError if it is something else.
 */
export function tracePrefix(text: string): string {
  const digits = text.trim().replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{8,32}$/.test(digits)) return digits
  if (/^[0-9a-f]{1,7}$/.test(digits))
    throw new UsageError(`--trace needs at least 8 digits of the trace ID, not ${digits.length}`)
  throw new UsageError(`--trace needs 8 to 32 hexadecimal digits of a trace ID, not '${text}'`)
}

/**
 * Returns texts of which one is in each line with a trace ID that begins with these digits; undefined if there are no such texts. They are
 * the first 8 digits in lowercase and uppercase, because an ID can be written as a UUID, and the names of Datadog's fields, whose values can
 * be decimal.
 */
export function traceTexts(prefix: string): readonly string[] | undefined {
  // The zeros before an ID of 64 bits may not be in the line.
  const digits = prefix.startsWith('00000000') ? prefix.slice(16, 24) : prefix.slice(0, 8)
  if (digits.length < 8) return undefined
  return [...new Set([digits, digits.toUpperCase()]), 'dd.trace_id', '"dd":{"']
}
