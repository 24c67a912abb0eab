import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { displayWidth } from '../../../src/encode/pretty/width.ts'
import { recordOf } from '../../support/values/records.ts'
import { shown, shownLines } from './shown.ts'

const order = { id: 4711, customer: { name: 'Ann Example', tier: 'gold' }, items: [{ sku: 'pen' }, { sku: 'ink' }] }

describe('values on one line', () => {
  test.each([
    ['a word', 'word', 'word'],
    ['a path', '/orders/17?page=2', '/orders/17?page=2'],
    ['a text with spaces', 'two words', '"two words"'],
    ['an empty text', '', '""'],
    ['a text that looks like a number', '17', '"17"'],
    ['a text that looks like a number with an exponent', '1e3', '"1e3"'],
    ['a text that looks like a boolean', 'true', '"true"'],
    ['a text that looks like null', 'null', '"null"'],
    ['an IP address', '127.0.0.1', '127.0.0.1'],
    ['a file name', '.env', '.env'],
    ['a number', 17, '17'],
    ['a number that is not finite', NaN, 'NaN'],
    ['a boolean', true, 'true'],
    ['null', null, 'null'],
    ['a BigInt', 9007199254740993n, '9007199254740993'],
    ['an empty object', {}, '{}'],
    ['an empty array', [], '[]'],
    ['an object', { a: 1, b: { c: 'x y' } }, '{a: 1, b: {c: "x y"}}'],
    ['an array', [1, 'a', null], '[1, a, null]'],
  ])('%s is shown as its shortest unambiguous text', (_kind, value, text) => {
    expect(shown({ value })).toEqual([`m  value=${text}`])
  })
})

describe('names', () => {
  test.each([
    ['a=1 admin=true x', '"a=1 admin=true x"'],
    ['a=1', '"a=1"'],
    ['', '""'],
    ['a"b', '"a\\"b"'],
    ['{a', '"{a"'],
    ['k\ney', '"k\\ney"'],
    ['a.b-c/d:e', 'a.b-c/d:e'],
    ['17', '17'],
  ])('the name %j is quoted if it is not a single word: %s', (name, text) => {
    const members = { [name]: 2 }
    const long = { [name]: 2, x: 'x'.repeat(40) }
    expect(shown(members)).toEqual([`m  ${text}=2`])
    expect(shownLines([recordOf({ body: 'm' }, { attributes: new Map([[name, 2]]) })])).toEqual([`m  ${text}=2`])
    expect(shown({ o: members })).toEqual([`m  o={${text}: 2}`])
    expect(shown({ o: long }, { width: 40 }).slice(0, 3)).toEqual(['m', '    o:', `      ${text}: 2`])
    expect(shown({ [name]: { y: 1, ...long } }, { width: 40 })[1]).toBe(`    ${text}:`)
  })
})

describe('values that do not fit a line', () => {
  test('attributes continue on an indented line', () => {
    expect(shown({ first: 'a'.repeat(30), second: 'b'.repeat(30), third: 3 }, { width: 70 })).toEqual([
      `m  first=${'a'.repeat(30)}`,
      `    second=${'b'.repeat(30)} third=3`,
    ])
  })

  test('an object that fits a line of its own is shown on one', () => {
    expect(shown({ order, padding: 'x'.repeat(20) }, { width: 98 })).toEqual([
      'm',
      '    order={id: 4711, customer: {name: "Ann Example", tier: gold}, items: [{sku: pen}, {sku: ink}]}',
      `    padding=${'x'.repeat(20)}`,
    ])
  })

  test('an object that does not fit is an indented block after the other attributes', () => {
    expect(shown({ order, table: 'orders' }, { width: 50 })).toEqual([
      'm  table=orders',
      '    order:',
      '      id: 4711',
      '      customer: {name: "Ann Example", tier: gold}',
      '      items: [{sku: pen}, {sku: ink}]',
    ])
  })

  test('the items of an array are lines of a block if they are objects', () => {
    const list = [
      { sku: 'pen', quantity: 2 },
      { sku: 'ink', quantity: 1, note: 'black and very dark' },
    ]
    expect(shown({ list }, { width: 40 })).toEqual([
      'm',
      '    list:',
      '      - {sku: pen, quantity: 2}',
      '      - sku: ink',
      '        quantity: 1',
      '        note: "black and very dark"',
    ])
  })

  test('short items of an array fill the lines of a block', () => {
    expect(shown({ n: Array.from({ length: 20 }, (_, index) => index) }, { width: 40 })).toEqual([
      'm',
      '    n:',
      '      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,',
      '      11, 12, 13, 14, 15, 16, 17, 18, 19',
    ])
  })

  test('a long array ends with the number of items that are not shown', () => {
    const lines = shown({ n: Array.from({ length: 500 }, (_, index) => index) })
    expect(lines.at(-1)).toBe('      …[+340 items]')
    const objects = shown({ n: Array.from({ length: 500 }, (_, id) => ({ id })) })
    expect(objects.slice(-2)).toEqual(['        - {id: 39}'.slice(2), '      …[+460 items]'])
  })

  test('a long text is cut at the width and ends with the number of missing characters', () => {
    const [, line] = shown({ text: 'x'.repeat(200) }, { width: 60 })
    expect(line).toBe(`    text: "${'x'.repeat(30)}"…[+170 characters]`)
    expect(line!.length).toBeLessThanOrEqual(60)
  })

  test('a long text of wide characters is cut by its columns', () => {
    const [, line] = shown({ text: '東京'.repeat(50) }, { width: 60 })
    expect(line).toMatch(/^ {4}text: "(?:東京)+東?"…\[\+\d+ characters\]$/)
    expect(displayWidth(line!)).toBeLessThanOrEqual(60)
    expect(displayWidth(line!)).toBeGreaterThan(56)
    const kept = /"(.*)"/.exec(line!)![1]!.length
    expect(line).toContain(`[+${100 - kept} characters]`)
  })

  test('a long text of escaped characters is cut by the columns of its escapes', () => {
    const [, line] = shown({ text: '\u0007'.repeat(100) }, { width: 60 })
    expect(line!.length).toBeLessThanOrEqual(60)
    const kept = line!.split('\\u0007').length - 1
    expect(line).toContain(`…[+${100 - kept} characters]`)
  })

  test('a text with several lines is shown as lines', () => {
    const sql = 'SELECT id, total\n  FROM orders\n WHERE customer = $1 AND state = $2'
    expect(shown({ sql, rows: 2 }, { width: 200 })).toEqual([
      'm  rows=2',
      '    sql:',
      '      SELECT id, total',
      '        FROM orders',
      '       WHERE customer = $1 AND state = $2',
    ])
  })

  test('the attributes of a message with several lines follow its last line', () => {
    expect(shownLines([recordOf({ body: 'one\ntwo', attributes: { a: 1, b: 2 } })])).toEqual([
      'one',
      '    two',
      '    a=1 b=2',
    ])
  })

  test('a message with many lines ends with the number of lines that are not shown', () => {
    const lines = shownLines([
      recordOf({ body: Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n') }),
    ])
    expect(lines).toHaveLength(101)
    expect(lines.slice(0, 2)).toEqual(['line 0', '    line 1'])
    expect(lines.at(-1)).toBe('    …[+20 lines]')
  })

  test('with multiline false a record is one line, and nothing is cut', () => {
    const text = 'x'.repeat(500)
    expect(shown({ order, text, lines: 'a\nb' }, { multiline: false, width: 40 })).toEqual([
      'm  order={id: 4711, customer: {name: "Ann Example", tier: gold}, items: [{sku: pen}, {sku: ink}]} ' +
        `text=${text} lines="a\\nb"`,
    ])
  })

  test('one thing that is not shown is counted in the singular', () => {
    expect(shown({ n: Array.from({ length: 161 }, () => 1) }).at(-1)).toBe('      …[+1 item]')
    expect(shown({ n: Array.from({ length: 41 }, () => ({})) }).at(-1)).toBe('      …[+1 item]')
    expect(shownLines([recordOf({ body: 'x\n'.repeat(100) })]).at(-1)).toBe('    …[+1 line]')
  })

  test('no line is wider than the width, except one with a long message or name', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom('ab '.repeat(90), '全角'.repeat(60), `SELECT ${'a, '.repeat(50)}\n\tFROM b\n${'東'.repeat(99)}`),
      fc.constantFrom('a', 'ab', 'abc', '\u0007', '\u0007\n'.repeat(30), '\n'.repeat(50)),
    )
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'large', withCrossShrink: true },
        text,
        fc.double(),
        fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('any'), { maxKeys: 4 }),
      ),
    }))
    const deep = Array.from({ length: 30 }).reduce<unknown>(
      (value, _, index) => (index % 3 === 0 ? [value] : { k: value }),
      {
        text: 'one\ntwo '.repeat(30),
        list: ['x'.repeat(90), 'y', 12345678901234567890n],
        short: 'ab c',
      },
    )
    fc.assert(
      fc.property(any, fc.integer({ min: 40, max: 200 }), (value, width) => {
        for (const line of shown({ value }, { width }).slice(1)) expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }),
      { examples: [40, 57, 80, 200].map((width) => [deep, width]) },
    )
  })

  test('a value is not cut to a longer text', () => {
    const name = 'n'.repeat(32)
    expect(shown({ [name]: 'abc' }, { width: 40 })).toEqual(['m', `    ${name}=abc`])
    const tooLong = 'n'.repeat(40)
    expect(shown({ [tooLong]: 'abc' }, { width: 40 })).toEqual(['m', `    ${tooLong}: abc`])
    expect(shown({ [tooLong]: 12 }, { width: 40 })).toEqual(['m', `    ${tooLong}: 12`])
    expect(shown({ [tooLong]: 'abcdefgh' }, { width: 40 })).toEqual(['m', `    ${tooLong}: "a"…`])
    expect(shown({ [tooLong]: ['a b', 'c'] }, { width: 40 })).toEqual(['m', `    ${tooLong}:`, '      "a b", c'])
  })
})

describe('display width', () => {
  test.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['東京', 4],
    ['ｱ', 1],
    ['全', 2],
    ['한국', 4],
    ['🚀', 2],
    ['👩‍💻', 2],
    ['👍🏽', 2],
    ['🇪🇺', 2],
    ['❤️', 2],
    ['❤', 1],
    ['…', 1],
    ['\u200b', 0],
    ['\u{20000}', 2],
  ])('the width of %j is %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})
