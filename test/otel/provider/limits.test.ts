import { describe, expect, test } from '@jest/globals'
import { recordLimits } from '../../../src/otel/api/limits.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { nested } from '../../support/values/hostile.ts'
import { emitting, type Emitted } from './emitting.ts'

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, index]))

function limitsIn(env: Record<string, string>, given?: LoggerProviderOptions['limits']) {
  const diagnostics: Diagnostic[] = []
  const { attributes, stringLength, depth } = recordLimits(given, (problem) => diagnostics.push(problem), [], env)
  return { attributes, stringLength, depth, diagnostics }
}

describe.each([
  ['one exporter', true],
  ['exporters of two formats', false],
])('attribute limits, with %s', (_, alone) => {
  const emit = (limits: LoggerProviderOptions['limits'], record: object): Emitted => {
    const { provider, emitted } = emitting({ limits: limits! }, alone)
    provider.getLogger('a').emit(record)
    return emitted()[0]!
  }

  // Requirements: LIM1, LIM3
  test('attributes over the default limit of 128 are dropped and counted in the record', () => {
    const { attributes, droppedAttributesCount } = emit({}, { attributes: many(131) })
    expect([attributes.size, droppedAttributesCount]).toEqual([128, 3])
    expect(emit({}, { attributes: many(128) }).droppedAttributesCount).toBeUndefined()
    expect(
      emit(
        { attributes: 1 },
        {
          attributes: new Map([
            ['a', 1],
            ['b', 2],
          ]),
        },
      ).droppedAttributesCount,
    ).toBe(1)
  })

  // Requirements: LIM3
  test('the attribute count limit does not apply to nested values', () => {
    const attributes = { object: many(1_500), array: Array(1_500).fill(1) }
    const record = emit({ attributes: 2 }, { attributes })
    expect(record.attributes.get('object')!.kvlistValue!.values).toHaveLength(1_500)
    expect(record.attributes.get('array')!.arrayValue!.values).toHaveLength(1_500)
  })

  // Requirements: LIM2
  test('strings and bytes are truncated to the length limit at any depth, and other values are not', () => {
    const long = 'x'.repeat(9)
    const attributes = { text: long, bytes: new Uint8Array(9), in: [{ text: long }], short: 'abcd', n: 1234567890 }
    const record = emit({ stringLength: 4 }, { attributes })
    expect(Object.fromEntries(record.attributes)).toEqual({
      text: { stringValue: 'xxxx' },
      bytes: { bytesValue: 'AAAAAA==' },
      in: {
        arrayValue: { values: [{ kvlistValue: { values: [{ key: 'text', value: { stringValue: 'xxxx' } }] } }] },
      },
      short: { stringValue: 'abcd' },
      n: { intValue: '1234567890' },
    })
  })

  // Requirements: LIM2
  test('the length limit does not split a surrogate pair', () => {
    expect(emit({ stringLength: 4 }, { attributes: { a: 'abc😀' } }).attributes.get('a')).toEqual({
      stringValue: 'abc',
    })
  })

  // Requirements: LIM2
  test('exception attributes are truncated to the length limit', () => {
    const { attributes } = emit({ stringLength: 5 }, { exception: new RangeError('too far') })
    expect([...attributes.values()]).toEqual([
      { stringValue: 'Range' },
      { stringValue: 'too f' },
      { stringValue: 'Range' },
    ])
  })

  // Requirements: LIM4, D20
  test('arrays and maps over the depth limit become empty values, unlike with the official SDK', () => {
    const attributes = { map: { in: { in: 1 } }, array: [[[1]]], ok: [1] }
    expect(Object.fromEntries(emit({ depth: 2 }, { attributes }).attributes)).toEqual({
      map: {
        kvlistValue: {
          values: [{ key: 'in', value: { kvlistValue: { values: [{ key: 'in', value: { intValue: '1' } }] } } }],
        },
      },
      array: { arrayValue: { values: [{ arrayValue: { values: [{}] } }] } },
      ok: { arrayValue: { values: [{ intValue: '1' }] } },
    })
    expect(
      Object.fromEntries(emit({ depth: 1 }, { attributes: { map: { in: [] }, a: new Map([[1, 2]]) } }).attributes),
    ).toEqual({
      map: { kvlistValue: { values: [{ key: 'in', value: {} }] } },
      a: { arrayValue: { values: [{}] } },
    })
  })

  // Requirements: LIM1, LIM4
  test('attributes are written to a depth of 64 by default, and the next level is empty', () => {
    const text = JSON.stringify([...emit({}, { attributes: { deep: nested(100) } }).attributes])
    expect(text.match(/kvlistValue/g)).toHaveLength(64)
    expect(text).toContain('"value":{}')
  })

  // Requirements: LIM7
  test('the body is exempt from attribute limits', () => {
    const body = { text: 'x'.repeat(9), in: { in: { in: 1 } }, bytes: new Uint8Array(9) }
    const record = emit({ stringLength: 4, depth: 1, attributes: 1 }, { body, attributes: { a: 'x'.repeat(9) } })
    expect(JSON.stringify(record.body)).toContain('"stringValue":"xxxxxxxxx"')
    expect(JSON.stringify(record.body)).toContain('"key":"in","value":{"intValue":"1"}')
    expect(JSON.stringify(record.body)).toContain('"bytesValue":"AAAAAAAAAAAA"')
    expect(record.attributes.get('a')).toEqual({ stringValue: 'xxxx' })
    expect(emit({ stringLength: 4 }, { body: 'as it is' }).body).toEqual({ stringValue: 'as it is' })
  })

  test('attributes after an exempt body are limited', () => {
    const { provider, emitted } = emitting({ limits: { stringLength: 4, depth: 1 } }, alone)
    const long = 'x'.repeat(9)
    for (const body of [{ long }, 'x']) {
      provider.getLogger('a').emit({ body, attributes: { long, bytes: new Uint8Array(9), in: { in: {} } } })
    }
    expect(Object.fromEntries(emitted()[1]!.attributes)).toEqual({
      long: { stringValue: 'xxxx' },
      bytes: { bytesValue: 'AAAAAA==' },
      in: { kvlistValue: { values: [{ key: 'in', value: {} }] } },
    })
  })
})

// Requirements: LIM7
test('resource attributes are exempt from attribute limits', () => {
  const { provider, sources } = emitting({ limits: { attributes: 1, stringLength: 1 }, resource: many(5) as never })
  provider.getLogger('a').emit({})
  expect(sources()[0]!.resource.get('a4')).toEqual({ intValue: '4' })
  expect(sources()[0]!.resource.get('telemetry.sdk.name')).toEqual({ stringValue: 'sluice' })
})

// Requirements: LIM6
test('dropped attributes are reported once for many records', () => {
  const { provider, diagnostics } = emitting({ limits: { attributes: 1 } })
  for (let i = 0; i < 5; i++) provider.getLogger('a').emit({ attributes: many(4) })
  expect(diagnostics).toEqual([
    { code: 'SLUICE_ATTRIBUTES_DROPPED', message: expect.stringContaining('more than 1 attribute;') },
  ])
})

test('onDiagnostic can log a record with too many attributes', () => {
  const { provider, emitted } = emitting({
    limits: { attributes: 1 },
    onDiagnostic: () => provider.getLogger('callback').emit({ body: 'callback', attributes: many(3) }),
  })
  provider.getLogger('a').emit({ body: 'first', attributes: many(3) })
  expect(emitted().map(({ body, droppedAttributesCount }) => [body?.stringValue, droppedAttributesCount])).toEqual([
    ['callback', 2],
    ['first', 2],
  ])
})

describe('limits from environment variables', () => {
  const general = { OTEL_ATTRIBUTE_COUNT_LIMIT: '10', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '20' }
  const own = { OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: '1', OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: '2' }

  // Requirements: LIM5, ENV14, ENV15
  test('limits in code override log record variables, which override general variables and defaults', () => {
    expect(limitsIn({})).toMatchObject({ attributes: 128, stringLength: Infinity, depth: 64 })
    expect(limitsIn(general)).toMatchObject({ attributes: 10, stringLength: 20 })
    expect(limitsIn({ ...general, ...own })).toMatchObject({ attributes: 1, stringLength: 2 })
    expect(limitsIn({ ...general, ...own }, { attributes: 5 })).toMatchObject({ attributes: 5, stringLength: 2 })
  })

  // Requirements: ENV1
  test('an empty limit variable is ignored, and 0 is a valid limit', () => {
    expect(limitsIn({ ...general, OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: ' ' }).attributes).toBe(10)
    expect(limitsIn({ OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: '0' }).attributes).toBe(0)
  })

  // Requirements: ENV3, ERR1
  test.each(['-1', '1.5', 'many', '1e9999', '0x10'])(
    'an attribute count limit of %j is reported once and ignored',
    (value) => {
      const env = { ...general, OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: value }
      const { attributes, diagnostics } = limitsIn(env)
      expect([attributes, diagnostics.map(({ code }) => code), limitsIn(env).diagnostics]).toEqual([
        10,
        ['SLUICE_ENV_INVALID'],
        [],
      ])
    },
  )
})
