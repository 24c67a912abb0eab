import { formsOfDigits } from '../../read/query/id-digits.ts'
import { UsageError } from './usage-error.ts'

const idDigits = 32
/** The digits of the high 64 bits of an ID that has only 64. */
const noHighBits = '0'.repeat(16)

/**
 * Returns the first hexadecimal digits, in lowercase, of the trace IDs that a text selects. Records have IDs of 128 bits; one of 64 bits has
 * zeros before it. Datadog logs the low 64 bits of an ID, as a decimal number.
 *
 * @param text - 8 to 32 hexadecimal digits, also in groups with dashes as in a UUID, or a decimal number of 64 bits
 * @throws UsageError for any other text.
 */
export function tracePrefixes(text: string): readonly string[] {
  const digits = text.trim().replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{8,32}$/.test(digits)) {
    if (/^[0-9a-f]{1,7}$/.test(digits))
      throw new UsageError(`--trace needs at least 8 digits of the trace ID, not ${digits.length}`)
    throw new UsageError(`--trace needs 8 to 32 hexadecimal digits of a trace ID, not '${text}'`)
  }
  const prefixes = [digits]
  if (digits.length === 16) prefixes.push(noHighBits + digits)
  if (digits.length === idDigits && !digits.startsWith(noHighBits)) prefixes.push(noHighBits + digits.slice(16))
  if (/^[1-9]\d{7,19}$/.test(text.trim())) {
    const hex = BigInt(text.trim()).toString(16)
    if (hex.length <= 16) prefixes.push(hex.padStart(idDigits, '0'))
  }
  return prefixes
}

/**
 * Returns texts that are searched in lines: each line with a trace ID that begins with one of the prefixes contains at least one of them.
 * Returns undefined if no such text is known. Loggers write an ID also in uppercase, or as a UUID, in which only the first 8 and the last 12
 * digits are not separated. They write an ID of 64 bits without leading zeros, and Datadog writes it as a decimal number.
 */
export function traceTexts(prefixes: readonly string[]): readonly string[] | undefined {
  const texts = new Set<string>()
  for (const prefix of prefixes) {
    const isWhole = prefix.length === idDigits
    const isShortId = prefix.startsWith('00000000')
    if (isShortId && !isWhole) return undefined
    const digits = isWhole ? prefix.slice(20) : prefix.slice(0, 8)
    const decimal = isShortId ? String(BigInt(`0x${prefix}`)) : ''
    for (const text of [...formsOfDigits(digits), ...formsOfDigits(decimal)]) if (text !== '') texts.add(text)
  }
  return [...texts]
}
