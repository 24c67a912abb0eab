import { UsageError } from './usage-error.ts'

/**
 * Returns the first hexadecimal digits of a trace ID in lowercase.
 *
 * @param text - 8 to 32 hexadecimal digits, also in groups with dashes as in a UUID
 * @throws UsageError for any other text.
 */
export function tracePrefix(text: string): string {
  const digits = text.trim().replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{8,32}$/.test(digits)) return digits
  if (/^[0-9a-f]{1,7}$/.test(digits))
    throw new UsageError(`--trace needs at least 8 digits of the trace ID, not ${digits.length}`)
  throw new UsageError(`--trace needs 8 to 32 hexadecimal digits of a trace ID, not '${text}'`)
}

/**
 * Returns texts that are searched in lines: each line with a trace ID that begins with these digits contains at least one of them. Returns
 * undefined if no such text is known. Loggers write an ID also in uppercase, or as a UUID, in which only the first 8 and the last 12 digits
 * are not separated. They write an ID of 64 bits without leading zeros, and Datadog writes it as a decimal number.
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
