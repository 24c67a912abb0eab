import { describe, expect, it } from '@jest/globals'
import { readBytes, recordIn } from '../lines/read-bytes.ts'

const time = Date.parse('2026-11-21T09:56:03.123Z')
const local = new Date(2026, 10, 21, 9, 56, 3, 123).getTime()

describe('readLevelText', () => {
  it.each<readonly [string, string, number | undefined, string]>([
    ['2026-11-21T09:56:03.123Z INFO started', 'info', time, 'started'],
    ['2026-11-21T10:56:03.123+01:00 [ERROR]: it failed', 'error', time, 'it failed'],
    ['2026-11-21 09:56:03,123 WARN  com.example.Main - slow', 'warn', local, 'com.example.Main - slow'],
    ['2026-11-21 09:56:03.123  ERROR 12 --- [main] c.e.Main : x', 'error', local, '12 --- [main] c.e.Main : x'],
    ['2026-11-21 09:56:03,123 [pool-1] DEBUG x', 'debug', local, 'x'],
    ['2026/11/21 09:56:03 [crit] 12#0: *1 failed', 'critical', local - 123, '12#0: *1 failed'],
    ['[2026-11-21T09:56:03.123Z] warn: slow', 'warn', time, 'slow'],
    ['2026-11-21T09:56:03.123Z error: x', 'error', time, 'x'],
    ['info: started', 'info', undefined, 'started'],
    ['\u001B[32mwarn\u001B[39m: colored', 'warn', undefined, 'colored'],
  ])('reads %j', (line, level, expectedTime, message) => {
    expect(recordIn(line)).toMatchObject({ format: 'text', level, time: expectedTime, message })
  })

  it("reads the fields that winston's simple format appends as JSON", () => {
    const record = recordIn('error: no {braces} {"code":"E","user":{"id":1}}')
    expect(record.message).toBe('no {braces}')
    expect(record.attributes).toEqual(
      new Map<string, unknown>([
        ['code', 'E'],
        ['user', new Map([['id', 1]])],
      ]),
    )
    expect(recordIn('error: no {"json}').message).toBe('no {"json}')
  })

  it.each([
    'Error: x',
    'note: x',
    'informal: x',
    'info:x',
    'log: x',
    '2026-11-21T09:56:03.123Z error happened here',
    '2026-11-21 ERROR x',
    '2026-13-21T09:56:03Z ERROR x',
    '2026-11-21T09:56:03Z ERRORS x',
    // pino-pretty
    '[09:56:03.123] INFO (12): started',
    '\u001B[32mINFO\u001B[39m (12): started',
    // this package
    '09:56:03.123 INFO  started',
  ])('reads %j as text', (line) => {
    expect(readBytes(line).map(({ record }) => record)).toEqual([undefined])
  })
})
