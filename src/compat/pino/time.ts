import { escapedJson, quote } from '../../encode/json/quote.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/** Writes a record's time as a member with its comma, `,"time":1763712000000`, or nothing. */
export type TimeFn = () => string

let last = NaN
let lastText = ''

/** Milliseconds since the Unix epoch. */
export const epochTime: TimeFn = () => {
  const now = Date.now()
  if (now === last) return lastText
  last = now
  return (lastText = `,"time":${now}`)
}

/** No time. */
export const nullTime: TimeFn = () => ''

/** Seconds since the Unix epoch. */
export const unixTime: TimeFn = () => `,"time":${Math.round(Date.now() / 1000)}`

/** RFC 3339 in UTC with milliseconds. */
export const isoTime: TimeFn = () => `,"time":"${new Date(Date.now()).toISOString()}"`

const startWall = BigInt(Date.now()) * 1_000_000n
const start = process.hrtime.bigint()

/** The same with nanoseconds: those that have passed since the program began, on its clock of then. */
export const isoTimeNano: TimeFn = () => {
  const now = startWall + process.hrtime.bigint() - start
  const seconds = new Date(Number(now / 1_000_000n)).toISOString().slice(0, 19)
  return `,"time":"${seconds}.${String(now % 1_000_000_000n).padStart(9, '0')}Z"`
}

/**
 * Returns what a function of a user's returned for the time, so that it is a part of a line: on one line, without control characters,
 * and with its texts redacted. Valid text of printable characters is returned as it is.
 *
 * @throws what is not a text, or would not be JSON in a line
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
  // Line ends and tabs are valid between the parts of JSON, and only there.
  return escapedJson(text.replace(/[\n\r\t]/g, ' '))
}

function isFound(value: unknown, patterns: TextPatterns): boolean {
  return typeof value === 'string' && patterns.redacted(value) !== value
}

/** Of these it is known that they write valid JSON. */
export const standardTimes: ReadonlySet<TimeFn> = new Set([epochTime, nullTime, unixTime, isoTime, isoTimeNano])

/** Times to give as the option `timestamp`. */
export interface StdTimeFunctions {
  /** `time` in ms since the Unix epoch: the default. */
  epochTime: TimeFn
  /** `time` in seconds since the Unix epoch. */
  unixTime: TimeFn
  /** No time. */
  nullTime: TimeFn
  /** `time` as RFC 3339 has it, in UTC with milliseconds. */
  isoTime: TimeFn
  /**
   * `time` as RFC 3339 has it, in UTC with nanoseconds: those that have passed since the program began, on its clock of then.
   */
  isoTimeNano: TimeFn
}

export const stdTimeFunctions: StdTimeFunctions = { nullTime, epochTime, unixTime, isoTime, isoTimeNano }
