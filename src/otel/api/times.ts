import { latestMillis, nanosText } from '../../encode/otlp/otlp-time.ts'
import type { ExactTimes, LogRecord } from '../../record/record.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import type { HrTime, TimeInput } from './types.ts'

/** The time fields of a `LogRecord`. */
export type RecordTimes = Pick<LogRecord, 'time' | 'exactTimes'>

/**
 * Returns the times of a record from OpenTelemetry's API or SDK, exact to the nanosecond if the input is. An invalid time is treated as
 * missing, so that the record is not lost. A missing timestamp is replaced by the observed timestamp, and a missing observed timestamp
 * by the current time.
 *
 * @param now - the current time in ms since the Unix epoch
 */
export function recordTimes(time: unknown, observed: unknown, now: number): RecordTimes {
  const occurredParts = partsOf(time)
  const observedParts = partsOf(observed)
  if (occurredParts === undefined && observedParts === undefined) return { time: now, exactTimes: undefined }
  const { millis, nanos } = occurredParts ?? observedParts!
  const observedAt = observedParts ?? { millis: now, nanos: undefined }
  const exactTimes: ExactTimes = { nanos, observedNanos: nanosText(observedAt.millis, observedAt.nanos) }
  return { time: millis, exactTimes }
}

/**
 * Converts a time to `HrTime`. Returns undefined for an invalid time.
 *
 * @param nanos - the number of nanoseconds after the whole milliseconds, if known
 */
export function toHrTime(time: TimeInput, nanos?: number): HrTime | undefined {
  const parts = partsOf(time)
  if (parts === undefined) return undefined
  const wholeMillis = Math.floor(parts.millis)
  // Round a fraction of a millisecond to microseconds, the precision of a double at this size.
  const nanosOfMilli = nanos ?? parts.nanos ?? Math.round((parts.millis - wholeMillis) * 1_000) * 1_000
  const seconds = Math.floor(wholeMillis / 1_000)
  const nanosOfSecond = (wholeMillis - seconds * 1_000) * 1_000_000 + nanosOfMilli
  return nanosOfSecond < 1e9 ? [seconds, nanosOfSecond] : [seconds + 1, nanosOfSecond - 1e9]
}

/** A time in milliseconds, with the nanoseconds of the input. */
interface TimeParts {
  /** Milliseconds since the Unix epoch; whole when `nanos` is set. */
  readonly millis: number
  /** Nanoseconds after the whole milliseconds, if known. */
  readonly nanos: number | undefined
}

function partsOf(time: unknown): TimeParts | undefined {
  try {
    if (typeof time === 'number') return partsOfNumber(time)
    if (Array.isArray(time)) return partsOfHrTime(time[0], time[1])
    // Nanoseconds since the Unix epoch.
    if (typeof time === 'bigint') return partsOfHrTime(Number(time / 1_000_000_000n), Number(time % 1_000_000_000n))
    return time instanceof Date ? partsOfMillis(time.getTime()) : undefined
  } catch {
    return undefined // a proxy threw
  }
}

/**
 * Interprets a number by its size, because the API allows three meanings: ms since the Unix epoch, ms since the process started
 * (`performance.now()`), and, according to the API's comment on `timestamp`, nanoseconds since the epoch. The official SDK does not
 * support nanoseconds, and interprets every number below half of `performance.timeOrigin` (the year 1998 for a process of 2026) as ms
 * since the start.
 */
function partsOfNumber(time: number): TimeParts | undefined {
  if (Math.abs(time) <= maxDateMillis) {
    // Use the object of the module, because test runners replace the global one. The module is loaded on demand, which takes 0.7 ms.
    clock ??= builtinModule('node:perf_hooks')?.performance ?? performance
    const isSinceStart = time >= 0 && time < clock.timeOrigin / 2 && time <= clock.now() + toleranceMillis
    return partsOfMillis(isSinceStart ? clock.timeOrigin + time : time)
  }
  // A Date cannot represent this many milliseconds, so these are nanoseconds. A double of this size is exact to about 256 ns.
  return partsOfMillis(time / 1e6)
}

function partsOfMillis(millis: number): TimeParts | undefined {
  return Math.abs(millis) <= latestMillis ? { millis, nanos: undefined } : undefined
}

function partsOfHrTime(seconds: unknown, nanos: unknown): TimeParts | undefined {
  if (typeof seconds !== 'number' || typeof nanos !== 'number') return undefined
  const wholeSeconds = Math.trunc(seconds)
  const allNanos = Math.round(nanos + (seconds - wholeSeconds) * 1e9)
  const millis = wholeSeconds * 1_000 + Math.floor(allNanos / 1_000_000)
  // 64 bits of nanoseconds cannot represent such a time, for example milliseconds that were passed as seconds. It counts as missing.
  if (!(Math.abs(millis) <= latestMillis)) return undefined
  return { millis, nanos: allNanos - Math.floor(allNanos / 1_000_000) * 1_000_000 }
}

/** The largest distance from the Unix epoch that a Date can represent, in ms (ECMA-262). */
const maxDateMillis = 8.64e15

/** The `performance` object of `node:perf_hooks`; undefined until it is needed. */
let clock: { readonly timeOrigin: number; now(): number } | undefined

/**
 * How far a time since the start may be in the future, in ms: one day. A time from another thread can be in the future, because the clock
 * of a worker starts with the worker, which can be long after the clock of the main thread.
 */
const toleranceMillis = 86_400_000
