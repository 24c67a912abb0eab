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
