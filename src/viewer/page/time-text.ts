/** Returns a time of day in the local zone, such as `10:02:03.123`. */
export function timeOfDay(time: number): string {
  const date = new Date(time)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
}

function pad(number: number, digits = 2): string {
  return String(number).padStart(digits, '0')
}

/** Returns a date in the local zone, such as `2026-11-23`. */
export function dateText(time: number): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** Returns a duration with a unit, such as `250 ms`, `1.25 s` or `3 min`. */
export function durationText(millis: number): string {
  const size = Math.abs(millis)
  if (size < 1) return `${Math.round(millis * 1000)} µs`
  if (size < 1_000) return `${Math.round(millis)} ms`
  if (size < 60_000) return `${(millis / 1_000).toFixed(size < 10_000 ? 2 : 1)} s`
  if (size < 3_600_000) return `${(millis / 60_000).toFixed(1)} min`
  if (size < 86_400_000) return `${(millis / 3_600_000).toFixed(1)} h`
  return `${(millis / 86_400_000).toFixed(1)} d`
}

/** Returns how long ago a time was, such as `3 s ago`. */
export function agoText(time: number, now: number): string {
  return now - time < 1_000 ? 'now' : `${durationText(now - time)} ago`
}

const numberFormat = new Intl.NumberFormat('en-US')

/** Returns a whole number with separators, such as `1,000,000`. */
export function countText(count: number): string {
  return numberFormat.format(count)
}
