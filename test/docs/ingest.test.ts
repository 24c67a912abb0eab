import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor } from '../../src/encode/encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { layoutBases } from '../../src/encode/json/layout-bases.ts'
import {
  CONTAINER_LINE_BYTES,
  criLog,
  dockerLog,
  readCriLog,
  readDockerLog,
} from '../support/values/container-lines.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { records, rules } from '../support/values/records.ts'
import { textOf } from './ingest-texts.ts'

// Log readers cannot be run here. Their configurations in docs/guides/ingest.md are checked against published settings.

/** One line for each kind of record, in the default layout. */
const written = records().map((record) => encoderFor(jsonLines(), rules).encode(record) as string)
const traced = written.find((line) => line.includes('"trace_id"'))!

/** Returns the distinct names of settings in a text, including those in lists. */
function settingsOf(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted()
}
const inYaml = /^[\s-]*([\w./]+):(?=\s|$)/gm

describe('the logs of containers', () => {
  const long = { body: 'naïve 😀'.repeat(20_000), list: Array.from({ length: 999 }, (_, index) => index) }

  test.each([
    ['CRI', criLog, readCriLog],
    ['json-file', dockerLog, readDockerLog],
  ])('a line that was split in the format %s equals the written line after it is rejoined', (_, write, read) => {
    const { log, exporter } = createTestLogger()
    log.info('before')
    log.info('long', { list: long.list, text: 'a"b\\'.repeat(9_000) })
    log.info('after')
    expect(exporter.lines()[1]!.length).toBeGreaterThan(2 * CONTAINER_LINE_BYTES)
    expect(read(write(exporter.text()))).toEqual(exporter.lines())
  })

  test('a line that was split inside a character in the format CRI equals the written line after it is rejoined', () => {
    const { log, exporter } = createTestLogger()
    for (let shift = 0; shift < 4; shift++) log.info('x'.repeat(shift), { body: long.body })
    const split = criLog(exporter.text()).toString('latin1').split('\n')
    expect(split.filter((line) => line.includes(' stdout P ')).length).toBeGreaterThan(4)
    expect(readCriLog(criLog(exporter.text()))).toEqual(exporter.lines())
  })

  test('no line is split with the limit of the guide', () => {
    const [, bytes] = /recordBytes: ([\d_]+)/.exec(textOf('Kubernetes', 'ts'))!
    const recordBytes = Number(bytes!.replace('_', ''))
    const { log, exporter } = createTestLogger({ limits: { recordBytes } })
    const repeated = fc
      .tuple(fc.constantFrom('x', 'é', '😀', '"', '\n', '\ud800'), fc.nat({ max: 40_000 }))
      .map(([text, times]) => text.repeat(times))
    fc.assert(
      fc.property(repeated, fc.array(repeated, { maxLength: 5 }), (text, values) => {
        exporter.clear()
        log.info(text, { values })
        expect(criLog(exporter.text()).toString('latin1')).not.toContain(' stdout P ')
      }),
      { numRuns: 50 },
    )
  })
})

describe('Fluent Bit', () => {
  const text = textOf('Fluent Bit', 'conf')

  test('the guide has only known Fluent Bit settings', () => {
    const parser = ['Name', 'Format', 'Time_Key', 'Time_Format', 'Time_Keep']
    const input = ['Path', 'Tag', 'multiline.parser', 'Buffer_Max_Size']
    const filter = ['Match', 'Key_Name', 'Parser', 'Reserve_Data']
    expect(settingsOf(text, /^ {4}(\S+)/gm)).toEqual([...parser, ...input, ...filter].toSorted())
  })

  test('the Time_Key of Fluent Bit is the key of the timestamp', () => {
    expect(/Time_Key +(\S+)/.exec(text)![1]).toBe(layoutBases.sluice.keys.timestamp)
  })
})

describe('Loki', () => {
  test('Alloy extracts only keys that lines have', () => {
    const text = textOf('Loki', 'alloy')
    const [, expressions] = /expressions = \{ (.*) \}/.exec(text)!
    const names = settingsOf(expressions!, /= "(\w+)"/g)
    expect(names).toEqual(['level', 'span_id', 'timestamp', 'trace_id'])
    expect(Object.keys(JSON.parse(traced) as object)).toEqual(expect.arrayContaining(names))
    const taken = settingsOf(expressions!, /(\w+) = /g)
    const used = [...settingsOf(text, /source = "(\w+)"/g), ...settingsOf(text, /values = \{.*?= "(\w+)"/g)]
    expect(taken).toEqual(expect.arrayContaining(used))
  })

  test('a derived field matches the trace ID of a line, and does not match a line without one', () => {
    const text = textOf('Loki', 'yaml')
    const source = ['apiVersion', 'datasources', 'name', 'type', 'url', 'jsonData', 'derivedFields']
    expect(settingsOf(text, inYaml)).toEqual([...source, 'matcherType', 'matcherRegex', 'datasourceUid'].toSorted())
    const pattern = new RegExp(/matcherRegex: '(.*)'/.exec(text)![1]!)
    expect(pattern.exec(traced)?.[1]).toBe((JSON.parse(traced) as { trace_id: string }).trace_id)
    for (const line of written.filter((line) => !line.includes('"trace_id"'))) expect(line).not.toMatch(pattern)
  })
})

describe('Lambda', () => {
  test('every level, including a custom one, is a level of the Lambda filter, and every timestamp is RFC 3339', () => {
    const [, layout] = /layout: (\{ level: 'standard' \})/.exec(textOf('Lambda', 'ts'))!
    expect(layout).toBeDefined()
    const { captureLines: lines } = createTestLogger(
      { levels: { notice: 10, audit: 18, wire: 2 } },
      capturingExporter(jsonLines({ level: 'standard' })),
    )
    const records = lines((log) => {
      for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'notice', 'audit', 'wire'] as const)
        log[level]('text')
    })
    expect(records.map(({ level }) => level.toUpperCase())).toEqual([
      'TRACE',
      'DEBUG',
      'INFO',
      'WARN',
      'ERROR',
      'FATAL',
      'INFO',
      'ERROR',
      'TRACE',
    ])
    for (const line of records) expect(line['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('the guide has only known settings of the Lambda function', () => {
    const logging = ['LoggingConfig', 'LogFormat', 'ApplicationLogLevel']
    const called = ['Resources', 'Shop', 'Type', 'Properties', 'CodeUri', 'Handler', 'Runtime']
    expect(settingsOf(textOf('Lambda', 'yaml'), inYaml)).toEqual([...called, ...logging].toSorted())
  })
})

describe('Datadog', () => {
  test('the guide has only known Datadog settings, and the annotation is JSON', () => {
    expect(settingsOf(textOf('Datadog', 'yaml', 'logs:'), inYaml)).toEqual(
      ['logs', 'path', 'service', 'source', 'type'].toSorted(),
    )
    const [, annotation] = /ad\.datadoghq\.com\/shop\.logs: '(.*)'/.exec(textOf('Datadog', 'yaml', 'metadata:'))!
    expect(JSON.parse(annotation!)).toEqual([{ source: 'nodejs', service: 'shop' }])
  })
})

describe('Elastic', () => {
  test('the guide has only known Elastic settings', () => {
    const parser = ['ndjson', 'target', 'overwrite_keys', 'add_error_key', 'expand_keys']
    expect(settingsOf(textOf('Elastic', 'yaml'), inYaml)).toEqual(
      ['filebeat.inputs', 'type', 'id', 'paths', 'parsers', ...parser].toSorted(),
    )
  })
})

const timeLayouts: readonly (readonly [string, RegExp, string])[] = [
  ['filelog', /layout: '(.*)'/, textOf('OpenTelemetry Collector', 'yaml', 'receivers:')],
  ['Fluent Bit', /Time_Format +(\S+)/, textOf('Fluent Bit', 'conf')],
]

test.each(timeLayouts)('the time layout for %s parses every timestamp correctly', (_, pattern, text) => {
  const [, layout] = pattern.exec(text)!
  // Times with a four-digit year.
  const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })
  fc.assert(
    fc.property(times, (time) => {
      const { timestamp } = createTestLogger({ clock: () => time }).captureLine((log) => log.info('text'))
      expect(timeRead(layout!, String(timestamp))).toBe(time)
    }),
  )
})

/** Parses a time as strptime(3) does, with `%L` for milliseconds. Other text must match literally. */
function timeRead(layout: string, text: string): number | undefined {
  const directives: Readonly<Record<string, string>> = {
    '%Y': '(?<year>\\d{4})',
    '%m': '(?<month>0[1-9]|1[0-2])',
    '%d': '(?<day>0[1-9]|[12]\\d|3[01])',
    '%H': '(?<hour>[01]\\d|2[0-3])',
    '%M': '(?<minute>[0-5]\\d)',
    '%S': '(?<second>[0-5]\\d)',
    '%L': '(?<millis>\\d{3})',
  }
  const pattern = layout.replaceAll('.', '\\.').replaceAll(/%./g, (directive) => directives[directive]!)
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups
  if (found === undefined) return undefined
  const read = (name: string): number => Number(found[name])
  return Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
    read('millis'),
  )
}
