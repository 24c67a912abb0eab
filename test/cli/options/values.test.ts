import { expect, test } from '@jest/globals'
import { keyMap } from '../../../src/cli/options/key-map.ts'
import { levelThreshold } from '../../../src/cli/options/level-threshold.ts'
import { countValue, durationValue } from '../../../src/cli/options/number-value.ts'
import { parseArguments } from '../../../src/cli/options/parse-arguments.ts'
import { tracePrefixes } from '../../../src/cli/options/trace-prefix.ts'

test.each([
  ['trace', 1],
  ['warn', 13],
  ['WARN', 13],
  ['e', 17],
  ['warning', 13],
  ['critical', 17],
  ['emerg', 21],
  ['notice', 9],
  ['14', 14],
  ['24', 24],
])('--level %s selects severity numbers from %d', (text, threshold) => {
  expect(levelThreshold(text)).toBe(threshold)
})

test.each([
  ['ward', "--level: unknown level 'ward'; did you mean warn?"],
  ['loud', "--level: unknown level 'loud'; use one of trace, debug, info, warn, error, fatal"],
  ['', "--level: unknown level ''; use one of trace, debug, info, warn, error, fatal"],
  ['silent', "--level: unknown level 'silent'; use one of trace, debug, info, warn, error, fatal"],
  ['0', '--level: severity numbers are 1 to 24, not 0'],
  ['30', '--level: severity numbers are 1 to 24, not 30'],
])('--level rejects %j', (text, message) => {
  expect(() => levelThreshold(text)).toThrow(message)
})

test.each([
  ['0af76519', ['0af76519']],
  ['0AF7651916CD43DD8448EB211C80319C', ['0af7651916cd43dd8448eb211c80319c', '00000000000000008448eb211c80319c']],
  ['0af76519-16cd-43dd-8448-eb211c80319c', ['0af7651916cd43dd8448eb211c80319c', '00000000000000008448eb211c80319c']],
  // 64 bits: in hexadecimal digits, and as the decimal number that Datadog logs.
  ['b7ad6b7169203331', ['b7ad6b7169203331', '0000000000000000b7ad6b7169203331']],
  ['0000000000000000b7ad6b7169203331', ['0000000000000000b7ad6b7169203331']],
  ['13235353014750950193', ['13235353014750950193', '0000000000000000b7ad6b7169203331']],
  ['18446744073709551616', ['18446744073709551616']],
])('--trace accepts %s', (text, prefixes) => {
  expect(tracePrefixes(text)).toEqual(prefixes)
})

test.each([
  ['0af7651', '--trace needs at least 8 digits of the trace ID, not 7'],
  ['hello-world', "--trace needs 8 to 32 hexadecimal digits of a trace ID, not 'hello-world'"],
  ['0af7651916cd43dd8448eb211c80319c0', '--trace needs 8 to 32 hexadecimal digits of a trace ID'],
])('--trace rejects %s', (text, message) => {
  expect(() => tracePrefixes(text)).toThrow(message)
})

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['1.5m', 90_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
])('the duration %s has %d milliseconds', (text, milliseconds) => {
  expect(durationValue(parseArguments(['--sync-window', text]).options, 'sync-window')).toBe(milliseconds)
})

test.each(['10', 's', '1x', '-1s', '1 s', '1s,'])('the duration %j is rejected', (text) => {
  expect(() => durationValue(parseArguments(['--sync-window', text]).options, 'sync-window')).toThrow(
    `--sync-window must be a duration such as 500ms, 10s, 5m or 1h30m, not '${text}'`,
  )
})

test.each(['1.5', '-1', 'ten', '1e3', '99999999999999999999'])('the number %j is rejected', (text) => {
  expect(() => countValue(parseArguments(['-n', text]).options, 'tail')).toThrow(
    `--tail must be a whole number, not '${text}'`,
  )
})

test('numbers and durations of options that are not set are undefined', () => {
  const { options } = parseArguments([])
  expect([countValue(options, 'tail'), durationValue(options, 'interval')]).toEqual([undefined, undefined])
})

test('--map pairs fields with keys', () => {
  expect(keyMap(['level=severity', 'message=a=b'])).toEqual(
    new Map([
      ['level', 'severity'],
      ['message', 'a=b'],
    ]),
  )
  expect(keyMap([])).toBeUndefined()
})

test.each([
  ['level', "--map: 'level' is not FIELD=KEY, such as level=severity"],
  ['=x', "--map: '=x' is not FIELD=KEY, such as level=severity"],
  ['level=', "--map: 'level=' is not FIELD=KEY, such as level=severity"],
  ['mesage=text', "--map: unknown field 'mesage'; did you mean message?"],
  ['__proto__=text', "--map: unknown field '__proto__'; use one of time, timestamp, level, severity"],
])('--map rejects %j', (pair, message) => {
  expect(() => keyMap([pair])).toThrow(message)
})
