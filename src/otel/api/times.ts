import { latestMillis, nanosText } from '../../encode/otlp/otlp-time.ts'
import type { ExactTime, LogRecord } from '../../record/record.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import type { HrTime, TimeInput } from './types.ts'

/** The times of a record, as `LogRecord` has them. */
export type RecordTimes = Pick<LogRecord, 'time' | 'exact'>

/**
 * The times of a record that OpenTelemetry's API or SDK gives, exact to the nanosecond where it is (D23, D26). A value that is
 * no time counts as none. Where there is no time, that at which it was seen stands for it; where nobody says when that was,
 * it was `now`, in ms since the epoch (SDK11): what the caller got wrong must not cost the record.
 */
export function recordTimes(time: unknown, observed: unknown, now: number): RecordTimes {
  const made = partsOf(time)
  const seen = partsOf(observed)
  if (made === undefined && seen === undefined) return { time: now, exact: undefined }
  const { millis, nanos } = made ?? seen!
  const by = seen ?? { millis: now, nanos: undefined }
  const exact: ExactTime = { nanos, observed: nanosText(by.millis, by.nanos) }
  return { time: millis, exact }
}

/** A time as an SDK has it. `nanos`: how many there are beyond its milliseconds, where they are known. */
export function hrTimeOf(time: TimeInput, nanos?: number): HrTime | undefined {
  const parts = partsOf(time)
  if (parts === undefined) return undefined
  const whole = Math.floor(parts.millis)
  // A fraction of a millisecond counts to the microsecond, which is what a double can tell.
  const beyond = nanos ?? parts.nanos ?? Math.round((parts.millis - whole) * 1_000) * 1_000
  const seconds = Math.floor(whole / 1_000)
  const rest = (whole - seconds * 1_000) * 1_000_000 + beyond
  return rest < 1e9 ? [seconds, rest] : [seconds + 1, rest - 1e9]
}

interface Parts {
  /** Whole milliseconds where `nanos` says the rest. */
  readonly millis: number
  readonly nanos: number | undefined
}

function partsOf(time: unknown): Parts | undefined {
  try {
    if (typeof time === 'number') return partsOfNumber(time)
    if (Array.isArray(time)) return partsOfHrTime(time[0], time[1])
    if (typeof time === 'bigint') return partsOfHrTime(Number(time / 1_000_000_000n), Number(time % 1_000_000_000n))
    return time instanceof Date ? partsOfMillis(time.getTime()) : undefined
  } catch {
    return undefined // a hostile proxy
  }
}

/**
 * What a number means is found by its size, since the API's words allow three things: ms since the epoch, ms since the
 * process began (`performance.now()`), and, in the comment at `timestamp`, nanoseconds since the epoch. The official SDK
 * takes everything before 1998 for the second and has no way to say the third (D26).
 */
function partsOfNumber(time: number): Parts | undefined {
  if (Math.abs(time) <= latestDate) {
    // The module's object, because test runners replace the global one. Loading it takes 0.7 ms.
    clock ??= builtinModule('node:perf_hooks')?.performance ?? performance
    const isSinceStart = time >= 0 && time < clock.timeOrigin / 2 && time <= clock.now() + day
    return partsOfMillis(isSinceStart ? clock.timeOrigin + time : time)
  }
  // No Date can hold so many milliseconds. A double of this size tells some 256 ns apart.
  return partsOfMillis(time / 1e6)
}

function partsOfMillis(millis: number): Parts | undefined {
  return Math.abs(millis) <= latestMillis ? { millis, nanos: undefined } : undefined
}

function partsOfHrTime(seconds: unknown, nanos: unknown): Parts | undefined {
  if (typeof seconds !== 'number' || typeof nanos !== 'number') return undefined
  const whole = Math.trunc(seconds)
  const all = Math.round(nanos + (seconds - whole) * 1e9)
  const millis = whole * 1_000 + Math.floor(all / 1_000_000)
  // Seconds that are milliseconds in truth are a time that 64 bits of nanoseconds cannot hold: none at all.
  if (!(Math.abs(millis) <= latestMillis)) return undefined
  return { millis, nanos: all - Math.floor(all / 1_000_000) * 1_000_000 }
}

/** The largest distance from the epoch that a Date can hold, in ms (ECMA-262). */
const latestDate = 8.64e15

let clock: { readonly timeOrigin: number; now(): number } | undefined

/** A worker's clock does not begin with that of the thread that it gets a time from. */
const day = 86_400_000
