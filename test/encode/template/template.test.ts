import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { parseTemplate, renderTemplate } from '../../../src/encode/template/template.ts'

const attributes: Record<string, string> = { a: 'A', b: 'B', 'user.id': '42', 'a-b': 'C', ümlaut: 'D', empty: '' }

function render(message: string): string {
  const template = parseTemplate(message)
  return template === undefined
    ? message
    : renderTemplate(template, (name, format) =>
        Object.hasOwn(attributes, name) ? attributes[name]! + format : undefined,
      )
}

/** The names as a set, to compare with `TemplateNames` of test/types. */
function names(message: string): string[] {
  return (parseTemplate(message)?.parts ?? []).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
}

describe('a template inserts attributes', () => {
  test.each([
    ['{a}', 'A'],
    ['x {a} y {b} z', 'x A y B z'],
    ['{a}{b}{a}', 'ABA'],
    ['{a:json}', 'Ajson'],
    ['{a:x:y}', 'Ax:y'],
    ['{user.id} {a-b} {ümlaut}', '42 C D'],
    ['[{empty}]', '[]'],
    ['{a} {missing} {missing:json}', 'A {missing} {missing:json}'],
    ['{a}\n{b}', 'A\nB'],
  ])('%j is rendered as %j', (message, text) => {
    expect(render(message)).toBe(text)
  })

  test('names that every object inherits are missing like any other', () => {
    expect(render('{a} {toString} {__proto__} {constructor}')).toBe('A {toString} {__proto__} {constructor}')
  })

  test('what is inserted is not read again', () => {
    const template = parseTemplate('{x} {{y}} {y}')!
    expect(renderTemplate(template, (name) => (name === 'x' ? '{y} {{ }}' : 'Y'))).toBe('{y} {{ }} {y} Y')
  })
})

describe('a doubled brace is a brace', () => {
  test.each([
    ['{{a}} {a}', '{a} A'],
    ['{{{a}}}', '{A}'],
    ['{{{{{a}', '{{A'],
    ['{{"n": {a}}}', '{"n": A}'],
    ['{a}}}', 'A}}'],
    ['{a} {"x":{"y":{"z":1}}}', 'A {"x":{"y":{"z":1}}}'],
  ])('%j is rendered as %j', (message, text) => {
    expect(render(message)).toBe(text)
  })
})

describe('a message without a name is plain text', () => {
  test.each(
    [
      [
        '',
        'x',
        '{}',
        '{',
        '}',
        '{a',
        'a}',
        '}{',
        '{{a}}',
        '{{',
        '}}',
        '{{a}',
        '{:json}',
        '{a b}',
        '{a,b}',
        "{it's}",
        '{a/b}',
      ],
      ['route /users/{user id}', '{"a": 1, "b": {"c": 2}}', '{"a"}', '{a {b} c}', 'set {1, 2}', 'a {b {{c} d}'],
    ].flat(),
  )('%j', (message) => {
    expect(parseTemplate(message)).toBeUndefined()
  })
})

test('names are those the compiler finds', () => {
  // The same messages, with the same names, as in test/types/log-method.test-d.ts.
  expect(names('{a} {b:json} {a}')).toEqual(['a', 'b', 'a'])
  expect(names('{{a}} {b}')).toEqual(['b'])
  expect(names('{a}}')).toEqual(['a'])
  expect(names('{a {b} c')).toEqual([])
  expect(names('{a {{b} {c}')).toEqual(['c'])
  expect(names('{"a":1} {} {:x} {a b} {a,b} {a/b} {it\'s} {c}')).toEqual(['c'])
  expect(names('{user.id:json:x}')).toEqual(['user.id'])
})

test('a template whose names are all missing stays as it is, doubled braces excepted', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ', ':', '"', 'ü') }), (message) => {
      const template = parseTemplate(message)
      const text = template === undefined ? message : renderTemplate(template, () => undefined)
      expect(message.includes('{{') || text === message).toBe(true)
      expect(text.replaceAll('{', '').replaceAll('}', '')).toBe(message.replaceAll('{', '').replaceAll('}', ''))
    }),
    { numRuns: 2_000 },
  )
})

describe('what was parsed is kept', () => {
  const others = (count: number) => {
    for (let i = 0; i < count; i++) parseTemplate(`data ${names++} {a}`)
  }
  let names = 0

  test('for messages that are in use', () => {
    const template = parseTemplate('used {a}')
    for (let i = 0; i < 10; i++) {
      others(400)
      expect(parseTemplate('used {a}')).toBe(template)
    }
  })

  test('not for ever: messages that hold data are forgotten', () => {
    const template = parseTemplate('once {a}')
    others(1_500)
    expect(parseTemplate('once {a}')).toEqual(template)
    expect(parseTemplate('once {b}')).not.toBe(template)
    others(1_500)
    expect(parseTemplate('once {a}')).not.toBe(template)
  })

  test('not for messages of more than 1,000 characters', () => {
    const long = `${'x'.repeat(1_000)}{a}`
    expect(parseTemplate(long)).toEqual(parseTemplate(long))
    expect(parseTemplate(long)).not.toBe(parseTemplate(long))
  })
})

test('hundreds of thousands of braces are read in a moment', () => {
  for (const unit of ['{', '}', '{a', '{a}', '{a b}', '{ {', '{{{']) {
    const start = performance.now()
    parseTemplate(unit.repeat(200_000))
    expect(performance.now() - start).toBeLessThan(1_000)
  }
})
