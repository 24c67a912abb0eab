import { escapedJson, quote } from '../../encode/json/quote.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/** Returns a record's time as a member with a leading comma, such as `,"time":1763712000000`, or an empty string. */
export type TimeFn = () => string

let last = NaN
let lastText = ''

/** Writes the time in milliseconds since the Unix epoch. */
export const epochTime: TimeFn = () => {
  const now = Date.now()
  if (now === last) return lastText
  last = now
  return (lastText = `,"time":${now}`)
}

/** Writes no time. */
export const nullTime: TimeFn = () => ''

/** Writes the time in seconds since the Unix epoch. */
export const unixTime: TimeFn = () => `,"time":${Math.round(Date.now() / 1000)}`

/** Writes the time as in RFC 3339, in UTC with milliseconds. */
export const isoTime: TimeFn = () => `,"time":"${new Date(Date.now()).toISOString()}"`

const startWall = BigInt(Date.now()) * 1_000_000n
const start = process.hrtime.bigint()

/** Writes the time as in RFC 3339, in UTC with nanoseconds: the wall clock at process start plus the monotonic time since. */
export const isoTimeNano: TimeFn = () => {
  const now = startWall + process.hrtime.bigint() - start
  const seconds = new Date(Number(now / 1_000_000n)).toISOString().slice(0, 19)
  return `,"time":"${seconds}.${String(now % 1_000_000_000n).padStart(9, '0')}Z"`
}

/**
 * Checks the time returned by a user's function, so that it can be part of a line: on one line, without control characters, and with
 * pattern matches redacted. Valid printable text is returned unchanged.
 *
 * @throws TypeError or SyntaxError for a value that is not text, or is not valid JSON within a line
 */
export function checkedTime(text: unknown, patterns: TextPatterns | undefined): string {
  if (typeof text !== 'string' || (text !== '' && !/^\s*,/.test(text)))
    throw new TypeError('the time is not `,"time":…`')
  const { a: _, ...members } = JSON.parse(`{"a":0${text}}`) as Record<string, unknown>
  const entries = Object.entries(members)
  if (patterns !== undefined && entries.some(([, value]) => isFound(value, patterns))) {
    const shown = (value: unknown) =>
      typeof value === 'string' ? quote(patterns.redacted(value)) : JSON.stringify(value)
    return entries.map(([key, value]) => `,${quote(key)}:${shown(value)}`).join('')
  }
  // Line terminators and tabs are valid JSON only between tokens.
  return escapedJson(text.replace(/[\n\r\t]/g, ' '))
}

function isFound(value: unknown, patterns: TextPatterns): boolean {
  return typeof value === 'string' && patterns.redacted(value) !== value
}

/** Time functions that are known to write valid JSON. */
export const standardTimes: ReadonlySet<TimeFn> = new Set([epochTime, nullTime, unixTime, isoTime, isoTimeNano])

/** Functions for the option `timestamp`. */
export interface StdTimeFunctions {
  /** Writes `time` in milliseconds since the Unix epoch. This is the default. */
  epochTime: TimeFn
  /** Writes `time` in seconds since the Unix epoch. */
  unixTime: TimeFn
  /** Writes no time. */
  nullTime: TimeFn
  /** Writes `time` as in RFC 3339, in UTC with milliseconds. */
  isoTime: TimeFn
  /**
   * Writes `time` as in RFC 3339, in UTC with nanoseconds: the wall clock at process start plus the monotonic time since.
   */
  isoTimeNano: TimeFn
}

export const stdTimeFunctions: StdTimeFunctions = { nullTime, epochTime, unixTime, isoTime, isoTimeNano }
