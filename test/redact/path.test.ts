import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { parseRedactPath, type RedactSegment } from '../../src/redact/path.ts'

/** Names are in quotes, so that a name `*` differs from a wildcard. */
function formatted(segments: readonly RedactSegment[]): string {
  return segments.map((each) => (each.kind === 'name' ? JSON.stringify(each.name) : each.kind)).join(' ')
}

function read(path: string): string {
  const parsed = parseRedactPath(path)
  return 'code' in parsed ? `${parsed.code} at ${parsed.position}` : formatted(parsed)
}

describe('paths that fast-redact accepts', () => {
  test.each([
    ['password', '"password"'],
    ['a.b.c', '"a" "b" "c"'],
    ['class.if.$x._y', '"class" "if" "$x" "_y"'],
    ['é.名前', '"é" "名前"'],
    ['a["b-c"]', '"a" "b-c"'],
    ["a['b.c'].d", '"a" "b.c" "d"'],
    ['a[`x`]', '"a" "x"'],
    ['["a"].b', '"a" "b"'],
    ['["a"]["b"][0][12]', '"a" "b" "0" "12"'],
    ['[0].a', '"0" "a"'],
    ['a[-1]', '"a" "-1"'],
    ['a[""]', '"a" ""'],
    ['a["b[c"]', '"a" "b[c"'],
    ['*', 'any'],
    ['*.x', 'any "x"'],
    ['a.*', '"a" any'],
    ['[*]', 'any'],
    ['a[*].b', '"a" any "b"'],
    ['a.*.c', '"a" any "c"'],
    ['*[*].*["x"]', 'any any any "x"'],
    ['a["*"]', '"a" any'],
    ['a[`*`].b', '"a" any "b"'],
    ['a["\\*"]', '"a" "*"'],
    ['a["**"]', '"a" "**"'],
    [" a . b [ 'c' ] .d ", '"a" "b" "c" "d"'],
    ['a["it\'s"]', '"a" "it\'s"'],
    ["a['it\\'s']", '"a" "it\'s"'],
    ['a["\\x62\\u0063\\u{64}\\n\\\\\\0\\q"]', JSON.stringify('a') + ' ' + JSON.stringify('bcd\n\\\0q')],
  ])('the path %s is parsed as in fast-redact', (path, expected) => expect(read(path)).toBe(expected))
})

describe('paths that only this package accepts', () => {
  test.each([
    ['a.x-y', '"a" "x-y"'],
    ['first name.last name', '"first name" "last name"'],
    ['0a.1', '"0a" "1"'],
    ['soap:Envelope.@id', '"soap:Envelope" "@id"'],
    ['〇', '"〇"'],
    ['a["b]c"]', '"a" "b]c"'],
    ['a["b;c"]', '"a" "b;c"'],
    ['[ * ]', 'any'],
    ['**.x', 'deep "x"'],
    ['a.**.x', '"a" deep "x"'],
    ['a[**].x', '"a" deep "x"'],
    ['**[0]', 'deep "0"'],
    ['**.*', 'deep any'],
  ])('the path %s is parsed', (path, expected) => expect(read(path)).toBe(expected))

  test('a final ** matches everything below a path, but not the path itself', () => {
    expect(read('a.**')).toBe('"a" deep any')
    expect(read('**')).toBe('deep any')
  })
})

describe('positions of syntax errors', () => {
  test.each([
    ['.a', 0],
    ['a.', 1],
    ['a. ', 1],
    ['a..b', 2],
    ['a.[0]', 1],
    ['a]', 1],
    ['a[', 1],
    ['a["b"', 1],
    ['a["b', 2],
    ['a[\'b"]', 2],
    ['a[]', 2],
    ['a[b]', 2],
    ['a["b"c]', 5],
    ['a["b"]c', 6],
    ['a[1+1]', 3],
    ['a[1.5]', 3],
    ['a[007]', 2],
    ['a[-0]', 2],
    ['a[12345678901234567890123]', 2],
    ['a[true]', 2],
    ['a[`x${1}`]', 4],
    ['a["\\u00"]', 3],
    ['a["\\u{110000}"]', 3],
    ['a["\\01"]', 3],
    ['a.\\u0062', 2],
    ['a?.b', 1],
    ['a()', 1],
    ['a,b', 1],
    ['a;b', 1],
    ['a/*x*/.b', 1],
    ['/a/b', 0],
    ['a"b"', 1],
    ['a\nb', 1],
    ['a\u00a0.b', 1],
    ['a.😀', 2],
    ['pass*', 4],
    ['*word', 0],
    ['a.*word', 2],
    ['a**', 1],
    ['a.[*]', 1],
    ['[*x]', 1],
    ['***', 2],
    ['a.****.b', 4],
    ['**.**', 3],
    ['a.**[**].x', 4],
  ])('parsing fails for the path %s', (path, position) => expect(read(path)).toBe(`SLUICE_PATH_SYNTAX at ${position}`))
})

test.each(['', ' ', '\t'])('an empty path is rejected because it never matches: %j', (path) => {
  expect(read(path)).toBe('SLUICE_PATH_NEVER_MATCHES at 0')
})

test.each([
  ['a..b', '.**.'],
  ['a.', '.*'],
  ['pass*', 'keys: [/^pass/]'],
  ['a,b', 'one entry for each path'],
  ['a/b', 'brackets and quotes'],
  ['a[007]', '["007"]'],
  ['a[b]', '["name"]'],
  ['a.[0]', 'remove the dot'],
  ['**.**', 'remove the second one'],
])('the message for the path %s names the correct form', (path, remedy) => {
  expect(parseRedactPath(path)).toMatchObject({ message: expect.stringContaining(remedy) })
})

test('parsing any text never throws, and error positions are inside the text', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab0.*[]"\'`\\ -,x\n'.split(''), '😀', '\ud800'), maxLength: 12 })
  fc.assert(
    fc.property(text, (path) => {
      const parsed = parseRedactPath(path)
      const position = 'code' in parsed ? parsed.position : 0
      expect(position).toBeGreaterThanOrEqual(0)
      expect(position).toBeLessThan(Math.max(1, path.length))
      expect('code' in parsed ? 'refused' : parsed.at(-1)!.kind).toMatch(/^(refused|name|any)$/)
    }),
    { numRuns: 2000 },
  )
})

test('every name can be written in quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('"', "'", '`'), (name, quote) => {
      fc.pre(name !== '*')
      const escaped = name.replaceAll(/[\\"'`]|\$(?=\{)/g, '\\$&')
      expect(read(`a[${quote}${escaped}${quote}]`)).toBe(`"a" ${JSON.stringify(name)}`)
    }),
  )
})
