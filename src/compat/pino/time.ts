import { escapeHighControls, quote } from '../../encode/json/quote.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/** Returns a record's time as a member with a leading comma, such as `,"time":1763712000000`, or an empty string. */
export type TimeFn = () => string

// The last result of `epochTime` and its time. NaN is equal to no time, so the first call builds the text.
let lastMillis = NaN
let lastText = ''

/** Returns the time in milliseconds since the Unix epoch. */
export const epochTime: TimeFn = () => {
  const now = Date.now()
  if (now === lastMillis) return lastText
  lastMillis = now
  return (lastText = `,"time":${now}`)
}

/** Returns an empty string, so that lines have no time. */
export const nullTime: TimeFn = () => ''

/** Returns the time in seconds since the Unix epoch. */
export const unixTime: TimeFn = () => `,"time":${Math.round(Date.now() / 1000)}`

/** Returns the time as in RFC 3339, in UTC with milliseconds. */
export const isoTime: TimeFn = () => `,"time":"${new Date(Date.now()).toISOString()}"`

// Both clocks at the moment when this module was loaded, in nanoseconds.
const startWallNanos = BigInt(Date.now()) * 1_000_000n
const startNanos = process.hrtime.bigint()

/** Returns the time as in RFC 3339, in UTC with nanoseconds: the wall clock when this package was loaded, plus the monotonic time since. */
export const isoTimeNano: TimeFn = () => {
  const now = startWallNanos + process.hrtime.bigint() - startNanos
  const seconds = new Date(Number(now / 1_000_000n)).toISOString().slice(0, 19)
  return `,"time":"${seconds}.${String(now % 1_000_000_000n).padStart(9, '0')}Z"`
}

/**
 * Checks the time returned by a user's function, so that it can be part of a line: on one line, without control characters, and with
 * pattern matches redacted. Valid printable text in which no pattern matches is returned unchanged.
 *
 * @throws TypeError or SyntaxError for a value that is not text, or is not valid JSON within a line
 */
export function checkTime(text: unknown, patterns: TextPatterns | undefined): string {
  if (typeof text !== 'string' || (text !== '' && !/^\s*,/.test(text)))
    throw new TypeError('the time is not `,"time":…`')
  // `a` is a first member, after which the text continues with a comma.
  const { a: _, ...members } = JSON.parse(`{"a":0${text}}`) as Record<string, unknown>
  const entries = Object.entries(members)
  if (patterns !== undefined && entries.some(([, value]) => hasMatch(value, patterns))) {
    const valueText = (value: unknown) =>
      typeof value === 'string' ? quote(patterns.redact(value)) : JSON.stringify(value)
    return entries.map(([key, value]) => `,${quote(key)}:${valueText(value)}`).join('')
  }
  // Line terminators and tabs are valid JSON only between tokens.
  return escapeHighControls(text.replace(/[\n\r\t]/g, ' '))
}

function hasMatch(value: unknown, patterns: TextPatterns): boolean {
  return typeof value === 'string' && patterns.redact(value) !== value
}

/** Time functions of this package, whose results need no check. */
export const standardTimeFunctions: ReadonlySet<TimeFn> = new Set([epochTime, nullTime, unixTime, isoTime, isoTimeNano])

/** Functions for the option `timestamp`. */
export interface StdTimeFunctions {
  /** Returns the member `time` in milliseconds since the Unix epoch. This is the default. */
  epochTime: TimeFn
  /** Returns the member `time` in seconds since the Unix epoch. */
  unixTime: TimeFn
  /** Returns an empty string, so that lines have no time. */
  nullTime: TimeFn
  /** Returns the member `time` as in RFC 3339, in UTC with milliseconds. */
  isoTime: TimeFn
  /**
   * Returns the member `time` as in RFC 3339, in UTC with nanoseconds: the wall clock when this package was loaded, plus the monotonic time
   * since.
   */
  isoTimeNano: TimeFn
}

export const stdTimeFunctions: StdTimeFunctions = { nullTime, epochTime, unixTime, isoTime, isoTimeNano }
