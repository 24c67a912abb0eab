import { isMembers, memberOf } from './json-members.ts'

/**
 * Returns the time that a value represents, in milliseconds since the Unix epoch with a fraction; undefined if it is not a time.
 *
 * - Text: ISO 8601 and RFC 3339, a number, and any other form that `Date.parse` reads. A text without a zone is local time.
 * - Numbers: seconds, milliseconds, microseconds or nanoseconds, by their magnitude.
 * - `{ seconds, nanos }`: the timestamp of protobuf.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return millisOfText(value)
  if (typeof value === 'number') return millisOfNumber(value)
  const nanos = nanosOf(value)
  return nanos === undefined ? undefined : millisOfNanos(nanos)
}

/** Returns the same time in nanoseconds, with all digits that the value has. */
export function nanosOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return nanosOfInteger(value)
  if (typeof value === 'string') return nanosOfText(value)
  if (typeof value === 'number') {
    const millis = millisOfNumber(value)
    return millis === undefined ? undefined : nanosOfMillis(millis)
  }
  if (!isMembers(value)) return undefined
  const seconds = integerOf(memberOf(value, 'seconds'))
  if (seconds === undefined) return undefined
  return limitedNanos(seconds * 1_000_000_000n + (integerOf(memberOf(value, 'nanos')) ?? 0n))
}

/** Returns nanoseconds as milliseconds with a fraction. */
export function millisOfNanos(nanos: bigint): number {
  // Divided before the conversion to a number, because a number does not have enough digits for nanoseconds.
  const millis = nanos / 1_000_000n
  return Number(millis) + Number(nanos - millis * 1_000_000n) / 1_000_000
}

/** Returns milliseconds with a fraction as nanoseconds, rounded to microseconds, which is the precision of the number. */
export function nanosOfMillis(millis: number): bigint {
  const whole = Math.floor(millis)
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((millis - whole) * 1_000)) * 1_000n
}

/** The maximum distance from the epoch that a Date can represent, in milliseconds (ECMA-262). */
const maxDateMillis = 8.64e15

function limited(millis: number): number | undefined {
  return millis >= -maxDateMillis && millis <= maxDateMillis ? millis : undefined
}

function limitedNanos(nanos: bigint): bigint | undefined {
  const limit = BigInt(maxDateMillis) * 1_000_000n
  return nanos >= -limit && nanos <= limit ? nanos : undefined
}

// Below these limits, a number is in seconds (until the year 5138), milliseconds or microseconds.
const maxSeconds = 1e11
const maxMillis = 1e14
const maxMicros = 1e17

function millisOfNumber(value: number): number | undefined {
  const size = Math.abs(value)
  if (size < maxSeconds) return value * 1_000
  if (size < maxMillis) return value
  if (size < maxMicros) return value / 1_000
  return limited(value / 1_000_000)
}

function nanosOfInteger(value: bigint): bigint | undefined {
  const size = value < 0n ? -value : value
  if (size < BigInt(maxSeconds)) return value * 1_000_000_000n
  if (size < BigInt(maxMillis)) return value * 1_000_000n
  return size < BigInt(maxMicros) ? value * 1_000n : limitedNanos(value)
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && integerPattern.test(value) ? BigInt(value) : undefined
}

const integerPattern = /^-?\d{1,30}$/
const decimalPattern = /^-?\d{1,30}\.\d*$/
/** The length of a date and a time to the second: `2026-11-21T09:56:03`. */
const secondLength = 19
const secondPattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/
/** A fraction of a second, and a zone; a comma is the decimal sign of ISO 8601 and of Python. */
const restPattern = /^(?:[.,](\d{1,30}))? ?(?:(Z|UTC)|([+-])(\d\d):?(\d\d)?)?$/i

// The last second that was read, because consecutive records often have the same one, and `Date.parse` costs more than the rest.
let cachedSecond = ''
let cachedMillis = NaN

function millisOfText(text: string): number | undefined {
  const millis = utcMillisOf(text)
  if (millis === undefined) return millisOfUnusualText(text)
  // The usual form: `2026-11-21T09:56:03.123Z`.
  if (text.length === 24 && text.charCodeAt(19) === dot && text.charCodeAt(23) === letterZ) {
    const fraction = digitAt(text, 20) * 100 + digitAt(text, 21) * 10 + digitAt(text, 22)
    if (fraction >= 0) return millis + fraction
  }
  const nanos = nanosOfText(text)
  return nanos === undefined ? undefined : millisOfNanos(nanos)
}

const dot = 46
const letterZ = 90

/** Returns the digit at a position; a large negative number if there is another character. */
function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - 48
  return digit >= 0 && digit <= 9 ? digit : -1_000_000
}

/** Returns the time of the first 19 characters, read as UTC; undefined if they are not a date and a time. */
function utcMillisOf(text: string): number | undefined {
  if (cachedSecond !== '' && text.startsWith(cachedSecond)) return cachedMillis
  const second = text.slice(0, secondLength)
  if (!secondPattern.test(second)) return undefined
  const millis = Date.parse(`${second.replace(' ', 'T')}Z`)
  if (Number.isNaN(millis)) return undefined
  cachedSecond = second
  return (cachedMillis = millis)
}

function nanosOfText(text: string): bigint | undefined {
  const utcMillis = utcMillisOf(text)
  const rest = utcMillis === undefined ? null : restPattern.exec(text.slice(secondLength))
  if (utcMillis === undefined || rest === null) {
    if (integerPattern.test(text)) return nanosOfInteger(BigInt(text))
    const millis = millisOfUnusualText(text)
    return millis === undefined ? undefined : nanosOfMillis(millis)
  }
  const [, fraction = '', utc, sign, hours = '0', minutes = '0'] = rest
  let millis = utcMillis
  if (sign !== undefined) millis -= (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  else if (utc === undefined) millis = Date.parse(text.slice(0, secondLength).replace(' ', 'T'))
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}

function millisOfUnusualText(text: string): number | undefined {
  if (integerPattern.test(text)) {
    const nanos = nanosOfInteger(BigInt(text))
    return nanos === undefined ? undefined : millisOfNanos(nanos)
  }
  if (decimalPattern.test(text)) return millisOfNumber(Number(text))
  // `Date.parse` also reads texts such as `order 5`, so the text must contain a time of day.
  const millis = text.length <= 64 && /\d:\d\d/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(millis) ? undefined : millis
}
