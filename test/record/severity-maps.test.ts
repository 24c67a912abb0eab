import { describe, expect, test } from '@jest/globals'
import { SeverityNumber } from '@opentelemetry/api'
import bunyan from 'bunyan'
import pino from 'pino'
import winston from 'winston'
import { levelIn, severityIn, severityMaps, severityOfPinoLevel } from '../../src/record/severity-maps.ts'

test('every level of pino, bunyan, winston and syslog has a severity number', () => {
  const names = {
    pino: Object.keys(pino.levels.values),
    bunyan: Object.values(bunyan.nameFromLevel),
    winston: Object.keys(winston.config.npm.levels),
    syslog: Object.keys(winston.config.syslog.levels),
  }
  for (const [system, levels] of Object.entries(names)) {
    expect(levels.length).toBeGreaterThan(5)
    for (const level of levels) expect(severityIn(severityMaps[system as 'pino'], level)).toBeGreaterThan(0)
  }
})

// Requirements: SEV1
test('the severity numbers of a system have the order of its levels', () => {
  // In these systems the most severe level is 0.
  for (const [levels, map] of [
    [winston.config.npm.levels, severityMaps.winston],
    [winston.config.syslog.levels, severityMaps.syslog],
  ] as const) {
    const inOrder = Object.entries(levels).toSorted(([, one], [, other]) => other - one)
    // `error` of the syslog levels of winston is the level `err` of RFC 5424.
    const numbers = inOrder.map(([name]) => severityIn(map, name))
    expect(numbers).toEqual([...numbers].toSorted((one, other) => one - other))
    expect(new Set(numbers).size).toBe(numbers.length)
  }
})

test('syslog levels have the severity numbers of appendix B of the logs data model', () => {
  const { emerg, alert, crit, err, warning, notice, info, debug } = severityMaps.syslog
  expect({ emerg, alert, crit, err, warning, notice, info, debug }).toEqual({
    emerg: SeverityNumber.FATAL,
    alert: SeverityNumber.ERROR3,
    crit: SeverityNumber.ERROR2,
    err: SeverityNumber.ERROR,
    warning: SeverityNumber.WARN,
    notice: SeverityNumber.INFO2,
    info: SeverityNumber.INFO,
    debug: SeverityNumber.DEBUG,
  })
})

describe('numeric levels of pino and bunyan', () => {
  test.each([
    [10, 1],
    [20, 5],
    [30, 9],
    [35, 11],
    [40, 13],
    [50, 17],
    [60, 21],
    [70, 24],
    [5, 1],
    [0, 0],
    [NaN, 0],
  ])('the numeric level %d has the severity number %d', (level, severity) => {
    expect(severityOfPinoLevel(level)).toBe(severity)
  })

  // Requirements: SEV1
  test('a numeric level between two standard levels has a severity number between theirs', () => {
    const numbers = Array.from({ length: 600 }, (_, tenths) => severityOfPinoLevel(10 + tenths / 10))
    expect(numbers).toEqual([...numbers].toSorted((one, other) => one - other))
    expect(new Set(numbers).size).toBe(24)
    expect(severityOfPinoLevel(31)).toBeGreaterThan(severityOfPinoLevel(30))
  })
})

// Requirements: SEV6
test('level names are case-insensitive, and an unknown name has no severity', () => {
  expect(severityIn(severityMaps.console, 'WARN')).toBe(13)
  expect(severityIn(severityMaps.console, 'toString')).toBe(0)
})

// Requirements: SEV5
test('a severity number maps to the closest level of its range, or else of all levels', () => {
  expect(levelIn(severityMaps.pino, 12)).toBe('info')
  expect(levelIn(severityMaps.syslog, 20)).toBe('alert')
  expect(levelIn(severityMaps.syslog, 12)).toBe('notice')
  expect(levelIn(severityMaps.syslog, 1)).toBe('debug')
  expect(levelIn(severityMaps.winston, 21)).toBe('error')
})
