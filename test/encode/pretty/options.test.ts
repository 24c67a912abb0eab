import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/entries/index.ts'
import { encoderFor } from '../../../src/encode/encoding.ts'
import type { PrettyOptions } from '../../../src/encode/pretty/settings.ts'
import { fdExporter } from '../../../src/exporters/fd/fd-exporter.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import { recordOf, rules, time } from '../../support/values/records.ts'
import { shownLines } from './shown.ts'

function line(options: PrettyOptions, at = time): string {
  return encoderFor(pretty(options), rules).encode(recordOf({ body: 'm', time: at })) as string
}

describe('time', () => {
  test.each([
    ['utc', '09:56:03.123'],
    ['iso', '2026-11-21T09:56:03.123Z'],
    ['Europe/Berlin', '10:56:03.123'],
    ['Asia/Kolkata', '15:26:03.123'],
    ['relative', '  +0.000s'],
  ])('the time format %s shows %s', (format, text) => {
    expect(line({ time: format })).toBe(`${text} INFO  m\n`)
  })

  test('the local time is the default', () => {
    const date = new Date(time)
    expect(line({})).toBe(line({ time: 'local' }))
    expect(line({}).slice(0, 2)).toBe(String(date.getHours()).padStart(2, '0'))
  })

  test('relative times count from the first record', () => {
    const records = [0, 41, 61_500, -5].map((millis) => recordOf({ body: 'm', time: time + millis }))
    expect(shownLines(records, { time: 'relative' })).toEqual([
      '  +0.000s INFO  m',
      '  +0.041s INFO  m',
      ' +61.500s INFO  m',
      '  -0.005s INFO  m',
    ])
  })

  test('relative times count from the first record of the output, also in children with their own rules', () => {
    let now = time
    const file = join(mkdtempSync(join(tmpdir(), 'pretty-')), 'log')
    const fd = openSync(file, 'a')
    const log = createLogger({
      clock: () => now,
      exporter: fdExporter({ fd, format: 'pretty', write: 'sync', pretty: { time: 'relative' } }),
    })
    log.info('m')
    now += 1_500
    log.child({}, { redact: ['password'] }).info('m')
    closeSync(fd)
    expect(readFileSync(file, 'utf8')).toBe('  +0.000s INFO  m\n  +1.500s INFO  m\n')
  })

  test.each(['local', 'utc', 'iso', 'Europe/Berlin', 'relative'])(
    'the time format %s shows times that are not dates',
    (format) => {
      for (const at of [NaN, Infinity, -1, 8.64e15, 8.64e15 + 1, 0.5])
        expect(line({ time: format }, at)).toMatch(/ INFO {2}m\n$/)
    },
  )

  test('the milliseconds of times before 1970 are positive', () => {
    expect(line({ time: 'utc' }, -1)).toBe('23:59:59.999 INFO  m\n')
  })
})

test('level labels replace the names of levels, and all labels have the same width', () => {
  const options = { levelLabels: { info: 'ℹ️', warn: 'warning', notice: '!' }, time: 'utc' as const }
  const records = [
    ['info', 9],
    ['warn', 13],
    ['notice', 10],
    ['error', 17],
  ].map(([level, severity]) => recordOf({ body: 'm', level: level as string, severity: severity as number }))
  expect(shownLines(records, options).map((shown) => shown.slice(13))).toEqual([
    'ℹ️      m',
    'warning m',
    '!       m',
    'ERROR   m',
  ])
})

test.each([
  [{ time: 'Mars/Olympus' }, 'SLUICE_OPTION_RANGE', 'pretty.time'],
  [{ time: 5 }, 'SLUICE_OPTION_TYPE', 'pretty.time'],
  [{ multiline: 'yes' }, 'SLUICE_OPTION_TYPE', 'pretty.multiline'],
  [{ hide: 'pid' }, 'SLUICE_OPTION_TYPE', 'pretty.hide'],
  [{ only: ['a*b'] }, 'SLUICE_OPTION_RANGE', 'pretty.only[0]'],
  [{ levelLabels: { info: 1 } }, 'SLUICE_OPTION_TYPE', 'pretty.levelLabels.info'],
  [{ errorFrames: 'all' }, 'SLUICE_OPTION_TYPE', 'pretty.errorFrames'],
  [{ width: 39 }, 'SLUICE_OPTION_RANGE', 'pretty.width'],
  [{ colors: 'auto' }, 'SLUICE_OPTION_TYPE', 'pretty.colors'],
  [{ color: true }, 'SLUICE_OPTION_UNKNOWN', 'pretty.color'],
])('pretty rejects the options %j', (options, code, path) => {
  expect(() => pretty(options as never)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code, path })] }),
  )
  expect(() => fdExporter({ pretty: options as never })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code, path: `fdExporter.${path}` })] }),
  )
})

test('the options of fdExporter apply to its pretty format and not to JSON', () => {
  const options = { time: 'utc', levelLabels: { info: 'i' } } as const
  const encoder = encoderFor(fdExporter({ fd: 987, format: 'pretty', pretty: options }).encoding, rules)
  expect(encoder.encode(recordOf({ body: 'm' }))).toBe('09:56:03.123 i     m\n')
  const json = fdExporter({ fd: 987, format: 'json', pretty: options }).encoding
  expect(json.key).toBe(fdExporter({ fd: 987, format: 'json' }).encoding.key)
})

test('encodings have the same key exactly if their options are the same', () => {
  const all: PrettyOptions[] = [
    {},
    { time: 'utc' },
    { multiline: false },
    { hide: ['a', 'b'] },
    { hide: ['a,b'] },
    { only: ['a', 'b'] },
    { hide: ['a'], only: ['b'] },
    { levelLabels: { info: 'i' } },
    { levelLabels: { 'info,i': '' } },
    { errorFrames: 3 },
    { errorFrames: 'own' },
    { width: 100 },
    { colors: true },
  ]
  expect(new Set(all.map((options) => pretty(options).key)).size).toBe(all.length)
  for (const options of all) expect(pretty(options).key).toBe(pretty({ ...options }).key)
})
