import { describe, expect, test } from '@jest/globals'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { fieldOrder, layoutNames, type LayoutName } from '../../../src/encode/json/layout-bases.ts'
import type { Layout } from '../../../src/encode/json/layout.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../src/options/configuration-error.ts'
import { golden } from '../../support/values/golden.ts'
import { recordOf, records, rules, span, time } from '../../support/values/records.ts'

function lines(layout: LayoutName | Layout, some = records()): string {
  const encoder = encoderFor(jsonLines(layout), rules)
  return some.map((record) => encoder.encode(record) as string).join('')
}

/** The entries of the line of one record, in the order of the text. */
function line(layout: LayoutName | Layout, record = records()[2]!): [string, unknown][] {
  return Object.entries(JSON.parse(lines(layout, [record])) as object)
}

describe('golden lines', () => {
  // Requirements: TXT1, TXT2, TXT4, TXT5
  test.each(['sluice', 'otel'] as const)('the layout %s matches its golden file', (name) => {
    const text = lines(name)
    expect(text).toBe(golden(`layout-${name}.jsonl`, text))
  })

  test.each(['pino', 'gcp', 'ecs', 'datadog'] as const)('the layout %s matches its golden file', (name) => {
    const text = lines(name)
    expect(text).toBe(golden(`layout-${name}.jsonl`, text))
  })

  test('the text of a line does not depend on the line before it', () => {
    for (const name of layoutNames)
      expect(lines(name, records().toReversed()).split('\n').slice(0, -1).toReversed().join('\n') + '\n').toBe(
        lines(name),
      )
  })
})

describe('customized layouts', () => {
  test('a layout can rename and omit fields', () => {
    const keys = {
      timestamp: '@t',
      message: 'msg',
      traceId: 'dd.trace_id',
      spanId: false,
      scopeName: false,
      attributes: 'ctx',
    } as const
    expect(line({ keys })).toEqual([
      ['@t', '2026-11-21T09:56:03.123Z'],
      ['level', 'info'],
      ['msg', 'order 42 placed'],
      ['dd.trace_id', span.traceId],
      ['trace_flags', '01'],
      ['otel.scope.version', '1.2.0'],
      ['otel.event.name', 'order.placed'],
      ['service.name', 'shop'],
      ['otel.dropped_attributes_count', 2],
      ['ctx', { region: 'eu', shard: 4, orderId: '42' }],
    ])
  })

  test('undefined keys keep the keys of the base layout', () => {
    expect(line({ keys: Object.fromEntries([['level', undefined]]) })).toEqual(line('sluice'))
    expect(line({ base: 'otel' })).toEqual(line('otel'))
  })

  test.each<[Layout, unknown]>([
    [{ level: 'name' }, 'info'],
    [{ level: 'NAME' }, 'INFO'],
    [{ level: 'severityNumber' }, 9],
  ])('the layout %j writes the level as %p', (layout, expected) => {
    expect(Object.fromEntries(line(layout))['level']).toBe(expected)
  })

  test.each<[Layout, unknown]>([
    [{ time: 'isoMillis' }, '2026-11-21T09:56:03.123Z'],
    [{ time: 'epochMillis' }, time],
  ])('the layout %j writes the time as %p', (layout, expected) => {
    expect(Object.fromEntries(line(layout, recordOf({ time: time + 0.7 })))['timestamp']).toBe(expected)
  })

  test('constants precede the message and attributes', () => {
    const constants = { '"a"': '"1"', v: 1.5, yes: true }
    expect(
      line({ constants })
        .slice(0, 6)
        .map(([key]) => key),
    ).toEqual(['timestamp', 'level', '"a"', 'v', 'yes', 'message'])
    const none = { timestamp: false, level: false, severityNumber: false } as const
    expect(line({ constants, keys: none }).slice(0, 4)).toEqual([
      ...Object.entries(constants),
      ['message', 'order 42 placed'],
    ])
  })

  test('the option resource selects the resource attributes to write', () => {
    expect(line({ resource: 'none' }).map(([key]) => key)).not.toContain('service.name')
    expect(Object.fromEntries(line({ resource: 'all' }))).toMatchObject({
      resource: { 'service.name': 'shop', 'host.name': 'h"1' },
    })
    expect(Object.fromEntries(line({ base: 'otel', resource: 'service' }))).toMatchObject({ 'service.name': 'shop' })
    expect(line({ base: 'otel', resource: 'service' }).map(([key]) => key)).not.toContain('resource')
  })

  test('a layout without fields or with a single field writes valid lines', () => {
    const nothing = Object.fromEntries(fieldOrder.map((field) => [field, false as const]))
    expect(lines({ keys: nothing })).toBe('{}\n'.repeat(records().length))
    for (const field of fieldOrder) {
      const keys = { ...nothing, [field]: `my ${field}` }
      for (const parsed of lines({ keys })
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text) as object)) {
        expect([[], [`my ${field}`]]).toContainEqual(Object.keys(parsed))
      }
    }
  })
})

function problemsOf(layout: unknown): readonly ConfigurationProblem[] {
  try {
    jsonLines(layout as Layout)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

describe('invalid layouts', () => {
  test.each<[unknown, string, string][]>([
    ['bunny', ['SLUICE_LAYOUT_UNKNOWN', 'layout']],
    [{ base: '__proto__' }, ['SLUICE_LAYOUT_UNKNOWN', 'layout.base']],
    [{ keys: { message: 'level' } }, ['SLUICE_LAYOUT_DUPLICATE_KEY', 'layout.keys.message']],
    [{ constants: { level: 'x' } }, ['SLUICE_LAYOUT_DUPLICATE_KEY', 'layout.constants.level']],
    [{ keys: { message: 5 } }, ['SLUICE_OPTION_TYPE', 'layout.keys.message']],
    [{ keys: { massage: 'm' } }, ['SLUICE_OPTION_UNKNOWN', 'layout.keys.massage']],
    [{ level: 'loud' }, ['SLUICE_OPTION_RANGE', 'layout.level']],
    [
      { time: 5, format: (x: unknown) => x },
      ['SLUICE_OPTION_TYPE', 'layout.time'],
      ['SLUICE_OPTION_UNKNOWN', 'layout.format'],
    ],
    [
      { constants: { a: {}, b: NaN, c: () => 'x' } },
      ['SLUICE_OPTION_TYPE', 'layout.constants.a'],
      ['SLUICE_OPTION_TYPE', 'layout.constants.b'],
      ['SLUICE_OPTION_TYPE', 'layout.constants.c'],
    ],
    [5, ['SLUICE_OPTION_TYPE', 'layout']],
    [{ base: 'gcp', project: 'a/b' }, ['SLUICE_OPTION_RANGE', 'layout.project']],
    [{ project: 'my-project' }, ['SLUICE_OPTION_RANGE', 'layout.project']],
    [{ attributes: 'deep' }, ['SLUICE_OPTION_RANGE', 'layout.attributes']],
    [{ base: 'ecs', keys: { exception: 'error.type' } }, ['SLUICE_LAYOUT_DUPLICATE_KEY', 'layout.keys.exception']],
  ] as never)('the layout %p is rejected with all of its problems', (...[layout, ...expected]) => {
    expect(problemsOf(layout).map(({ code, path }) => [code, path])).toEqual(expected)
  })
})
