import { afterEach, expect, test } from '@jest/globals'
import { pino } from '../../src/entries/pino.ts'
import { createLogger as createWinston } from '../../src/entries/winston.ts'
import { levelControl, type LevelChange } from '../../src/level-control/level-control.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

let change: LevelChange | undefined
const set = (directives: string): LevelChange => (change = levelControl().set(directives))
afterEach(() => change?.revert())

test('a custom level in a directive has the severity that each logger gives it, and is ignored by loggers without it', () => {
  const high = createTestLogger({ name: 'high', levels: { audit: 15 }, level: 'info' }).log
  const low = createTestLogger({ name: 'low', levels: { audit: 3 }, level: 'info' }).log
  const without = createTestLogger({ name: 'without', level: 'info' }).log
  set('warn,*=audit')
  expect(
    [high, low].map((log) => ['debug', 'info', 'warn', 'audit'].map((level) => log.isLevelEnabled(level as 'info'))),
  ).toEqual([
    [false, false, false, true],
    [true, true, true, true],
  ])
  expect(['info', 'warn'].map((level) => without.isLevelEnabled(level as 'info'))).toEqual([false, true])
  const levels = levelControl()
    .describe()
    .loggers.map(({ name, level }) => [name, level])
  expect(Object.fromEntries(levels)).toMatchObject({ high: 'audit', low: 'audit', without: 'warn' })
})

test('a name of other systems is the custom level where there is one, and the standard level elsewhere', () => {
  const custom = createTestLogger({ name: 'custom', levels: { notice: 11 }, level: 'error' }).log
  const standard = createTestLogger({ name: 'standard', level: 'error' }).log
  set('NOTICE')
  expect([custom, standard].map((log) => log.isLevelEnabled('info'))).toEqual([false, true])
})

test('directives can name the custom levels of loggers with the APIs of pino and winston, and of pino children', () => {
  const log = pino({ customLevels: { booked: 35 }, level: 'fatal' }, { write() {} })
  const child = log.child({}, { customLevels: { entry: 5 } })
  const winston = createWinston({ levels: { shout: 0, mumble: 1 }, level: 'shout' })
  set('booked')
  expect(['info', 'booked'].map((level) => log.isLevelEnabled(level))).toEqual([false, true])
  change!.revert()
  set('entry')
  expect([log, child].map((each) => each.isLevelEnabled('trace'))).toEqual([false, true])
  change!.revert()
  expect(winston.isLevelEnabled('mumble')).toBe(false)
  set('mumble')
  expect(winston.isLevelEnabled('mumble')).toBe(true)
})

test('a level that no logger has is rejected, until a logger has it', () => {
  expect(() => set('*=veto')).toThrow(/unknown level "veto"/)
  const { log } = createTestLogger({ levels: { veto: 24 }, level: 'info' })
  set('*=veto')
  expect(log.isLevelEnabled('error')).toBe(false)
})
