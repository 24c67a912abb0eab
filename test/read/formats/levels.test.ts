import { describe, expect, test } from '@jest/globals'
import { levelOf, withSeverityNumber, type LevelScale } from '../../../src/read/formats/levels.ts'

const rows = (scale: LevelScale, levels: readonly (readonly [string | number, string, number])[]) =>
  levels.map(([value, name, severityNumber]) => [scale, value, name, severityNumber] as const)

describe('levels', () => {
  test.each([
    ...rows('names', [
      ['trace', 'trace', 1],
      ['TRACE', 'trace', 1],
      ['silly', 'silly', 1],
      ['finest', 'finest', 1],
      ['debug', 'debug', 5],
      ['DBG', 'debug', 5],
      ['verbose', 'verbose', 6],
      ['http', 'http', 7],
      ['info', 'info', 9],
      ['Information', 'info', 9],
      ['I', 'info', 9],
      ['notice', 'notice', 10],
      ['warn', 'warn', 13],
      ['WARNING', 'warn', 13],
      [' W ', 'warn', 13],
      ['error', 'error', 17],
      ['err', 'error', 17],
      ['SEVERE', 'severe', 17],
      ['crit', 'critical', 18],
      ['critical', 'critical', 18],
      ['alert', 'alert', 19],
      ['emerg', 'emergency', 21],
      ['panic', 'panic', 21],
      ['FATAL', 'fatal', 21],
      ['fatal4', 'fatal4', 24],
      ['warn2', 'warn2', 14],
      ['audit', 'audit', 0],
      ['constructor', 'constructor', 0],
    ]),
    ...rows('pino', [
      [10, 'trace', 1],
      [20, 'debug', 5],
      [30, 'info', 9],
      [35, 'info3', 11],
      [40, 'warn', 13],
      [50, 'error', 17],
      [55, 'error3', 19],
      [60, 'fatal', 21],
      [100, 'fatal4', 24],
      [5, 'trace', 1],
      [0, '', 0],
      [-1, '', 0],
      [NaN, '', 0],
      ['30', 'info', 9],
      ['warn', 'warn', 13],
    ]),
    ...rows('syslog', [
      [0, 'emergency', 21],
      [1, 'alert', 19],
      [2, 'critical', 18],
      [3, 'error', 17],
      [4, 'warn', 13],
      [5, 'notice', 10],
      [6, 'info', 9],
      [7, 'debug', 5],
      [8, '', 0],
    ]),
    ...rows('tslog', [
      [0, 'silly', 1],
      [1, 'trace', 1],
      [2, 'debug', 5],
      [3, 'info', 9],
      [4, 'warn', 13],
      [5, 'error', 17],
      [6, 'fatal', 21],
      [7, '', 0],
      ['ERROR', 'error', 17],
    ]),
    ...rows('any', [
      [30, 'info', 9],
      [9, 'info', 9],
      [13, 'warn', 13],
      [3, 'error', 17],
      [6, 'info', 9],
    ]),
  ])('in the scale %s, %j is %s with the number %i', (scale, value, name, severityNumber) => {
    expect(levelOf(value, scale)).toMatchObject({ name, severityNumber })
  })

  test('the severity number of a line has precedence over its name', () => {
    expect(withSeverityNumber(levelOf('Audit', 'names'), 11)).toEqual({
      name: 'audit',
      severityNumber: 11,
      text: 'Audit',
    })
    expect(withSeverityNumber(levelOf('WARNING', 'names'), 13)).toEqual({
      name: 'warn',
      severityNumber: 13,
      text: 'WARNING',
    })
    expect(withSeverityNumber(levelOf('info', 'names'), 17)).toEqual({ name: 'info', severityNumber: 17, text: 'info' })
  })
})
