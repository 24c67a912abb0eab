import { expect, test } from '@jest/globals'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'

test('a manual clock changes only when `advance` or `set` is called', () => {
  const clock = manualClock('2026-01-01T00:00:00Z')
  expect([clock(), clock()]).toEqual([1_767_225_600_000, 1_767_225_600_000])
  clock.advance(1.5)
  expect(clock()).toBe(1_767_225_600_001.5)
  clock.set(new Date(7))
  clock.advance(-8)
  expect(clock()).toBe(-1)
})

test('a logger uses timestamps from a manual clock passed as `clock`', () => {
  const clock = manualClock(0)
  const logs = captureLogs()
  const log = createLogger({ clock, exporter: logs.exporter(), handleExit: false })
  clock.advance(1_000)
  log.info('a')
  expect(logs.records[0]!.line).toContain('"timestamp":"1970-01-01T00:00:01.000Z"')
})

test.each([NaN, Infinity, 'yesterday', new Date(NaN)])('a manual clock rejects the invalid time %p', (time) => {
  expect(() => manualClock(time)).toThrow(RangeError)
  const clock = manualClock(3)
  expect(() => clock.set(time)).toThrow('is not a valid time: use ms since the Unix epoch')
  expect(() => clock.advance(Infinity)).toThrow(RangeError)
  expect(clock()).toBe(3)
})
