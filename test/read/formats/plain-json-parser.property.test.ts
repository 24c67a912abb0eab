import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { PlainJsonParser } from '../../../src/read/formats/plain-json-parser.ts'
import { ValueConverter } from '../../../src/read/formats/json-values.ts'

const names = fc.constantFrom(
  'a',
  'http.route',
  'user',
  'id',
  '__proto__',
  'constructor',
  'é',
  '',
  '7',
  'a,b',
  '{',
  'a":',
)
const values = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: fc.constantFrom('a', '7', ' ', ':', ',', '{', '}', '[', ']', 'ü', '€', '-', 'true') }),
    fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, -0, 0.5, -0.25, 1e-7, 1e21, 999_999_999_999_999)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(names, tie('value')), { selector: ([name]) => name, maxLength: 6 })
    .map((entries) => Object.fromEntries(entries)),
}))

/** Texts in the form that loggers write, and texts in which one character is missing, doubled, or another one. */
const texts = fc
  .tuple(
    values.object,
    fc.nat(),
    fc.constantFrom('', '', '', '0', '-', '.', 'e', '"', ',', ':', '{', ']', ' ', 't'),
    fc.nat(1),
  )
  .map(([object, position, change, removed]) => {
    const text = JSON.stringify(object)
    if (change === '') return text
    const at = position % text.length
    return text.slice(0, at) + change + text.slice(at + removed)
  })
  .filter((text) => !text.includes('\\'))

/** Returns what the text is as JSON; undefined if it is not an object. */
function expected(text: string): string | undefined {
  try {
    const value = new ValueConverter().value(JSON.parse(text))
    return value instanceof Map ? visible(value) : undefined
  } catch {
    return undefined
  }
}

/** Returns a value as text in which the order of members and the sign of zero are visible. */
function visible(value: unknown): string {
  if (value instanceof Map)
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${visible(member)}`).join()}}`
  if (Array.isArray(value)) return `[${value.map(visible).join()}]`
  return Object.is(value, -0) ? '-0' : `${typeof value} ${String(value)}`
}

describe('PlainJsonParser', () => {
  test('a parser returns the same map as JSON.parse, or leaves the text to it', () => {
    const parser = new PlainJsonParser()
    fc.assert(
      fc.property(texts, fc.constantFrom('', '{"a":'), (text, before) => {
        const parsed = parser.parse(before + text, before.length, before.length + text.length)
        expect([undefined, expected(text)]).toContain(parsed === undefined ? undefined : visible(parsed))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '{}',
    '{"a":1,"b":"text","c":true,"d":false,"e":null,"f":-1.5,"g":[],"h":[1,{"i":{}}]}',
    '{"http.request.method":"GET","duration":13.893,"user":{"id":67369,"roles":["reader","buyer"]}}',
  ])('a parser parses %s itself', (text) => {
    const parsed = new PlainJsonParser().parse(text, 0, text.length)
    expect(visible(parsed)).toBe(expected(text))
  })

  test.each([
    '{"a":01}',
    '{"a":-01}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e3}',
    '{"a":12345678901234567890}',
    '{"b":1,"7":2}',
    '{"a":1}}',
    '{"a":1} ',
    '{"a":1',
    '{"a":"b}',
    '{"a":truth}',
    '{"a":1,}',
    '{"a" :1}',
    '{a:1}',
    '{"a":[1,]}',
    '[1]',
    '1',
    '',
  ])('a parser leaves %j to JSON.parse', (text) => {
    expect(new PlainJsonParser().parse(text, 0, text.length)).toBeUndefined()
  })

  test('a parser reads the members of lines whose names differ in their order', () => {
    const parser = new PlainJsonParser()
    for (const text of ['{"a":1,"b":2}', '{"b":3,"a":4}', '{"a":5,"c":6}', '{"a":7,"b":8}', '{"ab":9,"a":10}'])
      expect(visible(parser.parse(text, 0, text.length))).toBe(expected(text))
  })

  test('a parser leaves an object that is nested deeply to JSON.parse', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect(new PlainJsonParser().parse(text, 0, text.length)).toBeUndefined()
  })

  test('a parser that has read 10,000 names reads further ones', () => {
    const parser = new PlainJsonParser()
    for (let index = 0; index < 10_000; index++) {
      const text = `{"name${index}":${index}}`
      expect(parser.parse(text, 0, text.length)).toEqual(new Map([[`name${index}`, index]]))
    }
  })
})
