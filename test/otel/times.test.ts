import { describe, expect, test } from '@jest/globals'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { nanosText } from '../../src/encode/otlp/otlp-time.ts'
import { toHrTime, recordTimes } from '../../src/otel/api/times.ts'
import { sdks } from './processor/sdks.ts'

const now = 1_800_000_000_000
const nowNanos = '1800000000000000000'

/** Returns the time in milliseconds, and the additional nanoseconds if they are known. */
const timeOf = (time: unknown): [number, number | undefined] => {
  const { time: millis, exactTimes } = recordTimes(time, undefined, now)
  return [millis, exactTimes?.nanos]
}

// Requirements: SDK11
test('a record without a time and an observed time has the current time', () => {
  expect(recordTimes(undefined, undefined, now)).toEqual({ time: now, exactTimes: undefined })
  expect(recordTimes(null, null, now + 0.5)).toEqual({ time: now + 0.5, exactTimes: undefined })
})

// Requirements: SDK11
test('a record with a time and without an observed time is observed now', () => {
  expect(recordTimes(5e11, undefined, now)).toEqual({
    time: 5e11,
    exactTimes: { nanos: undefined, observedNanos: nowNanos },
  })
  expect(recordTimes(new Date(1), undefined, now)).toEqual({
    time: 1,
    exactTimes: { nanos: undefined, observedNanos: nowNanos },
  })
})

test('a record with only an observed time uses it as its time', () => {
  const { time, exactTimes } = recordTimes(undefined, [1_700_000_000, 123_456_789], now)
  expect([time, exactTimes]).toEqual([1_700_000_000_123, { nanos: 456_789, observedNanos: '1700000000123456789' }])
})

// Requirements: D23
test('a time keeps its nanoseconds, while the official SDK keeps only milliseconds', () => {
  expect(timeOf([1_700_000_000, 1])).toEqual([1_700_000_000_000, 1])
  expect(timeOf([1_700_000_000, 999_999_999])).toEqual([1_700_000_000_999, 999_999])
  expect(timeOf(1_700_000_000_123_456_789n)).toEqual([1_700_000_000_123, 456_789])
  expect(recordTimes(now, 1_700_000_000_123_456_789n, now).exactTimes?.observedNanos).toBe('1700000000123456789')
})

test('a time may have fractional seconds, negative seconds, or more than 1e9 nanoseconds', () => {
  expect(timeOf([1.5, 0])).toEqual([1_500, 0])
  expect(timeOf([1, 2_500_000_000])).toEqual([3_500, 0])
  expect(timeOf([-1, 1])).toEqual([-1_000, 1])
})

describe('units of numeric times', () => {
  test('a value of performance.now() is milliseconds since the start of the process', () => {
    const taken = performance.now()
    expect(timeOf(taken)).toEqual([performance.timeOrigin + taken, undefined])
    expect(timeOf(0)).toEqual([performance.timeOrigin, undefined])
  })

  // Requirements: D26
  test('a number for a time before 1998 is epoch milliseconds, unlike in the official SDK', () => {
    const epoch1990 = Date.UTC(1990, 0, 1)
    expect(timeOf(epoch1990)).toEqual([epoch1990, undefined])
    expect(timeOf(-1)).toEqual([-1, undefined])
  })

  // Requirements: D26
  test('a number is epoch milliseconds unless performance.now() could have returned it', () => {
    const firstYears = Array.from({ length: 60 }, (_, year) => Date.UTC(1971 + year, 0, 1))
    for (const time of [...firstYears, performance.now() + 86_400_000 + 60_000])
      expect(timeOf(time)).toEqual([time, undefined])
    const hour = 3_600_000
    expect(timeOf(hour)).toEqual([performance.timeOrigin + hour, undefined])
  })

  // Requirements: D26
  test.each(sdks)('a provider exports a record of 1990 with its time, unlike the provider of $name', async (sdk) => {
    const timestamp = Date.UTC(1990, 0, 1)
    const [ours, theirs] = [new sdk.InMemoryLogRecordExporter(), new sdk.InMemoryLogRecordExporter()]
    const provider = createLoggerProvider({ exporter: fromLogRecordExporter(ours), handleExit: false })
    const official = new sdk.LoggerProvider({
      processors: [new sdk.SimpleLogRecordProcessor({ exporter: theirs })],
    })
    for (const each of [provider, official]) each.getLogger('a').emit({ body: 'm', timestamp })
    await provider.forceFlush()
    expect(ours.getFinishedLogRecords().map(({ hrTime }) => hrTime)).toEqual([[timestamp / 1_000, 0]])
    const [seconds] = theirs.getFinishedLogRecords()[0]!.hrTime
    expect(seconds).toBeGreaterThan(performance.timeOrigin / 1_000)
    await provider.shutdown()
  })

  // Requirements: D26
  test('a number with the size of epoch nanoseconds is epoch nanoseconds', () => {
    expect(timeOf(now * 1e6)).toEqual([now, undefined])
  })

  test('a Date is never milliseconds since the start of the process', () => {
    expect(timeOf(new Date(7))).toEqual([7, undefined])
  })
})

test.each<[string, unknown]>([
  ['NaN', NaN],
  ['an infinity', Infinity],
  ['more than a Date holds', 8.64e21 * 2],
  ['an invalid Date', new Date(NaN)],
  ['text', '2026-11-21T09:56:03Z'],
  ['an array of text', ['1', '2']],
  ['an empty array', []],
  ['seconds that no Date holds', [1e14, 0]],
  ['a bigint that no Date holds', 10n ** 40n],
  ['an object', {}],
  ['a revoked proxy', revoked()],
])('an invalid time (%s) is replaced with the current time', (_, time) => {
  expect(recordTimes(time, time, now)).toEqual({ time: now, exactTimes: undefined })
  expect(toHrTime(time as number)).toBeUndefined()
})

test('an SDK time has whole seconds and nanoseconds below 1e9', () => {
  expect(toHrTime([1_700_000_000, 123_456_789])).toEqual([1_700_000_000, 123_456_789])
  expect(toHrTime(1_700_000_000_999.5)).toEqual([1_700_000_000, 999_500_000])
  expect(toHrTime(1_700_000_000_999 + 0.9999)).toEqual([1_700_000_001, 0])
  expect(toHrTime(new Date(-1))).toEqual([-1, 999_000_000])
})

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy
}

// Requirements: JS2
test('a time that does not fit in 64 bits of nanoseconds is replaced with the current time', () => {
  const now = 1_795_254_963_123
  for (const wrong of [[now, 0], new Date('2600-01-01'), [18_446_744_073.709, 999_999_999]] as never[]) {
    expect(recordTimes(wrong, undefined, now)).toEqual({ time: now, exactTimes: undefined })
  }
  expect(nanosText(18_446_744_073_708)).toBe('18446744073708000000')
  expect(nanosText(18_446_744_073_709.9)).toBeUndefined()
  expect(nanosText(NaN)).toBeUndefined()
})
