import { performance } from 'node:perf_hooks'
import type { ExactTime, LogRecord } from '../record/record.ts'
import type { HrTime, TimeInput } from './types.ts'

/** The times of a record, as `LogRecord` has them. */
export type RecordTimes = Pick<LogRecord, 'time' | 'exact'>

/**
 * The times of a record that OpenTelemetry's API or SDK gives, exact to the nanosecond where it is (D23, D26). A value that is
 * no time counts as none, and then `now` (ms since the epoch) stands for it: what the caller got wrong must not cost the
 * record.
 */
export function recordTimes(time: unknown, observed: unknown, now: number): RecordTimes {
  const seen = partsOf(observed)
  const made = partsOf(time) ?? seen ?? partsOf(now)!
  if (seen === undefined && made.nanos === undefined) return { time: made.millis, exact: undefined }
  const exact: ExactTime = { nanos: made.nanos, observed: seen === undefined ? nanosOf(partsOf(now)!) : nanosOf(seen) }
  return { time: made.millis, exact }
}

/** A time as an SDK has it. */
export function hrTimeOf(time: TimeInput): HrTime | undefined {
  const parts = partsOf(time)
  if (parts === undefined) return undefined
  const seconds = Math.floor(parts.millis / 1_000)
  const rest = (parts.millis - seconds * 1_000) * 1_000_000
  return [seconds, Math.round(rest) + (parts.nanos ?? 0)]
}

interface Parts {
  /** Whole milliseconds where `nanos` says the rest. */
  readonly millis: number
  readonly nanos: number | undefined
}

function partsOf(time: unknown): Parts | undefined {
  try {
    if (Array.isArray(time)) return partsOfHrTime(time[0], time[1])
    if (typeof time === 'bigint') return partsOfHrTime(Number(time / 1_000_000_000n), Number(time % 1_000_000_000n))
    const millis = time instanceof Date ? time.getTime() : time
    if (typeof millis !== 'number' || !(Math.abs(millis) <= latest)) return undefined
    // The API takes what `performance.now()` says, too: less than the time at which the process began cannot be the epoch's.
    return {
      millis: millis < performance.timeOrigin / 2 && !(time instanceof Date) ? performance.timeOrigin + millis : millis,
      nanos: undefined,
    }
  } catch {
    return undefined // a hostile proxy
  }
}

function partsOfHrTime(seconds: unknown, nanos: unknown): Parts | undefined {
  if (typeof seconds !== 'number' || typeof nanos !== 'number') return undefined
  const whole = Math.trunc(seconds)
  const all = Math.round(nanos + (seconds - whole) * 1e9)
  const millis = whole * 1_000 + Math.floor(all / 1_000_000)
  if (!(Math.abs(millis) <= latest)) return undefined
  return { millis, nanos: all - Math.floor(all / 1_000_000) * 1_000_000 }
}

/** Decimal text of nanoseconds since the epoch; undefined before it. */
function nanosOf({ millis, nanos }: Parts): string | undefined {
  const whole = Math.floor(millis)
  const beyond = nanos ?? Math.round((millis - whole) * 1_000) * 1_000
  const all = BigInt(whole) * 1_000_000n + BigInt(beyond)
  return all > 0n ? String(all) : undefined
}

/** The largest distance from the epoch that a Date can hold, in ms (ECMA-262). */
const latest = 8.64e15
