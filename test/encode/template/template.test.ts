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

/** Returns the names in order, for comparison with `TemplateNames` of test/types. */
function names(message: string): string[] {
  return (parseTemplate(message)?.parts ?? []).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
}

describe('insertion of attributes', () => {
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
  ])('the template %j is rendered as %j', (message, text) => {
    expect(render(message)).toBe(text)
  })

  test('names that every object inherits are treated as missing', () => {
    expect(render('{a} {toString} {__proto__} {constructor}')).toBe('A {toString} {__proto__} {constructor}')
  })

  test('an inserted text is not parsed for placeholders', () => {
    const template = parseTemplate('{x} {{y}} {y}')!
    expect(renderTemplate(template, (name) => (name === 'x' ? '{y} {{ }}' : 'Y'))).toBe('{y} {{ }} {y} Y')
  })
})

describe('escaped braces', () => {
  test.each([
    ['{{a}} {a}', '{a} A'],
    ['{{{a}}}', '{A}'],
    ['{{{{{a}', '{{A'],
    ['{{"n": {a}}}', '{"n": A}'],
    ['{a}}}', 'A}}'],
    ['{a} {"x":{"y":{"z":1}}}', 'A {"x":{"y":{"z":1}}}'],
  ])('the message %j with doubled braces is rendered as %j', (message, text) => {
    expect(render(message)).toBe(text)
  })
})

describe('messages without placeholders', () => {
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
  )('the message %j is plain text', (message) => {
    expect(parseTemplate(message)).toBeUndefined()
  })
})

test('the names in a template are those that its type declares', () => {
  // The same messages, with the same names, as in test/types/log-method.test-d.ts.
  expect(names('{a} {b:json} {a}')).toEqual(['a', 'b', 'a'])
  expect(names('{{a}} {b}')).toEqual(['b'])
  expect(names('{a}}')).toEqual(['a'])
  expect(names('{a {b} c')).toEqual([])
  expect(names('{a {{b} {c}')).toEqual(['c'])
  expect(names('{"a":1} {} {:x} {a b} {a,b} {a/b} {it\'s} {c}')).toEqual(['c'])
  expect(names('{user.id:json:x}')).toEqual(['user.id'])
})

test('a template whose names are all missing keeps its text, except for doubled braces', () => {
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

describe('cache of parsed templates', () => {
  const others = (count: number) => {
    for (let i = 0; i < count; i++) parseTemplate(`data ${names++} {a}`)
  }
  let names = 0

  test('a template that is used repeatedly stays in the cache', () => {
    const template = parseTemplate('used {a}')
    for (let i = 0; i < 10; i++) {
      others(400)
      expect(parseTemplate('used {a}')).toBe(template)
    }
  })

  test('templates that are not reused are evicted from the cache', () => {
    const template = parseTemplate('once {a}')
    others(1_500)
    expect(parseTemplate('once {a}')).toEqual(template)
    expect(parseTemplate('once {b}')).not.toBe(template)
    others(1_500)
    expect(parseTemplate('once {a}')).not.toBe(template)
  })

  test('templates of more than 1,000 characters are not cached', () => {
    const long = `${'x'.repeat(1_000)}{a}`
    expect(parseTemplate(long)).toEqual(parseTemplate(long))
    expect(parseTemplate(long)).not.toBe(parseTemplate(long))
  })
})

test('a message with hundreds of thousands of braces is parsed in under a second', () => {
  for (const unit of ['{', '}', '{a', '{a}', '{a b}', '{ {', '{{{']) {
    const start = performance.now()
    parseTemplate(unit.repeat(200_000))
    expect(performance.now() - start).toBeLessThan(1_000)
  }
})
