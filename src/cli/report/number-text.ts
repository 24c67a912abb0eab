const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const fourDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 })

/** Returns a count with separators: `12,345`. */
export function countText(count: number): string {
  return integers.format(count)
}

/** Returns a count with its noun: `1 record`, `12,345 records`. */
export function amountText(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`
}

/** Returns a number with four significant digits; very large and small ones with an exponent. */
export function valueText(value: number): string {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return '-'
  if (size !== 0 && (size >= 1e12 || size < 1e-6)) return value.toExponential(3)
  return size >= 1_000 ? integers.format(Math.round(value)) : fourDigits.format(value)
}

const rateUnits = [
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
] as const

/** Returns how many records there are in a unit of time, such as `3.1/s`; '' if the time span is unknown. */
export function rateText(count: number, spanMillis: number): string {
  if (!(spanMillis > 0)) return ''
  const [unit, length] = rateUnits.find(([, millis]) => (count / spanMillis) * millis >= 1) ?? rateUnits[3]
  const rate = (count / spanMillis) * length
  return `${rate >= 100 ? countText(rate) : rate.toFixed(1)}/${unit}`
}

/** Returns a time span with its two largest units: `1h 5m`, `12.3s`. */
export function spanText(millis: number): string {
  if (millis < 1_000) return `${Math.round(millis)}ms`
  if (millis < 60_000) return `${(millis / 1_000).toFixed(1)}s`
  const minutes = Math.round(millis / 60_000)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}
