import { latestMillis, nanosText } from '../../encode/otlp/otlp-time.ts'
import type { ExactTime, LogRecord } from '../../record/record.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import type { HrTime, TimeInput } from './types.ts'

/** The time fields of a `LogRecord`. */
export type RecordTimes = Pick<LogRecord, 'time' | 'exact'>

/**
 * Returns the times of a record from OpenTelemetry's API or SDK, exact to the nanosecond where the input is (D23, D26). An invalid
 * time is treated as missing, so that it does not cost the record. A missing timestamp is replaced by the observed timestamp, and a
 * missing observed timestamp by `now`, in ms since the Unix epoch (SDK11).
 */
export function recordTimes(time: unknown, observed: unknown, now: number): RecordTimes {
  const occurred = partsOf(time)
  const observedParts = partsOf(observed)
  if (occurred === undefined && observedParts === undefined) return { time: now, exact: undefined }
  const { millis, nanos } = occurred ?? observedParts!
  const by = observedParts ?? { millis: now, nanos: undefined }
  const exact: ExactTime = { nanos, observed: nanosText(by.millis, by.nanos) }
  return { time: millis, exact }
}

/** Converts a time to `HrTime`. `nanos` is the number of nanoseconds after the whole milliseconds, when known. */
export function hrTimeOf(time: TimeInput, nanos?: number): HrTime | undefined {
  const parts = partsOf(time)
  if (parts === undefined) return undefined
  const whole = Math.floor(parts.millis)
  // Round a fraction of a millisecond to microseconds, the precision of a double at this size.
  const beyond = nanos ?? parts.nanos ?? Math.round((parts.millis - whole) * 1_000) * 1_000
  const seconds = Math.floor(whole / 1_000)
  const rest = (whole - seconds * 1_000) * 1_000_000 + beyond
  return rest < 1e9 ? [seconds, rest] : [seconds + 1, rest - 1e9]
}

interface Parts {
  /** Milliseconds since the Unix epoch; whole when `nanos` is set. */
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
    return undefined // a proxy that throws
  }
}

/**
 * Interprets a number by its size, because the API allows three meanings: ms since the Unix epoch, ms since the process started
 * (`performance.now()`), and, in the comment on `timestamp`, nanoseconds since the epoch. The official SDK interprets every time
 * before 1998 as the second and does not support the third (D26).
 */
function partsOfNumber(time: number): Parts | undefined {
  if (Math.abs(time) <= latestDate) {
    // Use the object of the module, because test runners replace the global one. Loading the module takes 0.7 ms.
    clock ??= builtinModule('node:perf_hooks')?.performance ?? performance
    const isSinceStart = time >= 0 && time < clock.timeOrigin / 2 && time <= clock.now() + day
    return partsOfMillis(isSinceStart ? clock.timeOrigin + time : time)
  }
  // A Date cannot represent this many milliseconds, so these are nanoseconds. The precision of a double of this size is about 256
  // ns.
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
  // Milliseconds that were passed as seconds give a time that 64 bits of nanoseconds cannot represent; treat it as missing.
  if (!(Math.abs(millis) <= latestMillis)) return undefined
  return { millis, nanos: all - Math.floor(all / 1_000_000) * 1_000_000 }
}

/** The largest distance from the Unix epoch that a Date can represent, in ms (ECMA-262). */
const latestDate = 8.64e15

let clock: { readonly timeOrigin: number; now(): number } | undefined

/**
 * The tolerance for times since process start, in ms: a worker's clock starts later than that of the thread that sent it a time.
 */
const day = 86_400_000
