/** The lengths of a trace ID and of a span ID in hexadecimal digits. */
const traceDigits = 32
const spanDigits = 16

/**
 * Returns a trace ID as 32 lowercase hexadecimal digits; undefined if the value is not one. Reads hexadecimal IDs of 64 and 128 bits, UUIDs,
 * and the resource names of Google Cloud (`projects/p/traces/id`).
 */
export function traceIdOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return traceIdPattern.test(value) && value !== noTraceId ? value : padded(hexOf(value, traceDigits), traceDigits)
}

/** Returns a span ID as 16 lowercase hexadecimal digits; undefined if the value is not one. */
export function spanIdOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return spanIdPattern.test(value) && value !== noSpanId ? value : padded(hexOf(value, spanDigits), spanDigits)
}

/** Returns a trace ID of Datadog: a decimal number, which is the low 64 bits of the ID, or 32 hexadecimal digits. */
export function datadogTraceIdOf(value: unknown): string | undefined {
  return padded(hexOfDecimal(value), traceDigits) ?? traceIdOf(value)
}

/** Returns a span ID of Datadog, a decimal number, as 16 hexadecimal digits. */
export function datadogSpanIdOf(value: unknown): string | undefined {
  return padded(hexOfDecimal(value), spanDigits) ?? spanIdOf(value)
}

/** Returns the flags of W3C Trace Context, from two hexadecimal digits, a number, or whether the trace is sampled. */
export function traceFlagsOf(value: unknown): number | undefined {
  if (typeof value === 'string') return /^[0-9a-f]{2}$/i.test(value) ? Number.parseInt(value, 16) : undefined
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff
    ? value & 0xff
    : undefined
}

const traceIdPattern = /^[0-9a-f]{32}$/
const spanIdPattern = /^[0-9a-f]{16}$/
const hexPattern = /^[0-9a-f]+$/
const decimalPattern = /^\d{1,20}$/
// OpenTelemetry defines an ID of zeros as invalid.
const noTraceId = '0'.repeat(traceDigits)
const noSpanId = '0'.repeat(spanDigits)

function padded(hex: string | undefined, digits: number): string | undefined {
  return hex === undefined || /^0*$/.test(hex) ? undefined : hex.padStart(digits, '0')
}

function hexOf(value: string, digits: number): string | undefined {
  const id = value.slice(value.lastIndexOf('/') + 1).toLowerCase()
  const hex = id.length === 36 ? id.replaceAll('-', '') : id
  return (hex.length === digits || hex.length === spanDigits) && hexPattern.test(hex) ? hex : undefined
}

function hexOfDecimal(value: unknown): string | undefined {
  const text =
    typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? `${value}` : ''
  if (!decimalPattern.test(text)) return undefined
  const id = BigInt(text)
  return id < 2n ** 64n ? id.toString(16) : undefined
}
