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
 * Returns texts of which one is in each line with a trace ID that begins with these digits; undefined if there are no such texts. An ID can
 * be written in uppercase, and as a UUID, in which the first 8 and the last 12 digits are not separated. One of 64 bits is written without
 * the zeros before it, and by Datadog as a decimal number.
 */
export function traceTexts(prefix: string): readonly string[] | undefined {
  const isWhole = prefix.length === 32
  const isShortId = prefix.startsWith('00000000')
  if (isShortId && !isWhole) return undefined
  const digits = isWhole ? prefix.slice(20) : prefix.slice(0, 8)
  const texts = new Set([digits, digits.toUpperCase()])
  if (isShortId) texts.add(String(BigInt(`0x${prefix}`)))
  return [...texts]
}
