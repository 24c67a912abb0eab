import { expect, test } from '@jest/globals'
import { parseLiteral } from '../../../docs/site/.vitepress/playground/worker/parse-literal.ts'

test.each<[string, unknown]>([
  ['{"a": [1, -2.5, true, null, "x"]}', { a: [1, -2.5, true, null, 'x'] }],
  ["// rules\n{ paths: ['**.pin',], keys: [/token$/i], } // end", { paths: ['**.pin'], keys: [/token$/i] }],
  ['`text`', 'text'],
  ['{ "__proto__": { "x": 1 } }', JSON.parse('{ "__proto__": { "x": 1 } }')],
  ['[undefined, 10n, -1n]', [undefined, 10n, -1n]],
])('parses %s', (text, value) => {
  expect(parseLiteral(text)).toEqual(value)
})

test.each([
  ['{ censor: () => 1 }', 'must be a literal value, not code (arrow function expression)', 1, 11],
  ['{\n  a: fetch("/x") }', 'must be a literal value, not code (call expression)', 2, 6],
  ['{ [a]: 1 }', 'must be a literal value, not code (property)', 1, 3],
  ['{ get a() { return 1 } }', 'must be a literal value, not code (property)', 1, 3],
  ['{ ...a }', 'must be a literal value, not code (spread element)', 1, 3],
  ['`${a}`', 'must be a literal value, not code (identifier)', 1, 4],
  ['!1', 'must be a literal value, not code (unary expression)', 1, 1],
  ['{} {}', 'the value ends here, but more text follows', 1, 3],
  ['{ a: ', 'Unexpected token', 1, 6],
  ['[/(/]', 'Invalid regular expression', 1, 3],
])('rejects %j with its position', (text, message, line, column) => {
  expect(() => parseLiteral(text)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message), line, column }),
  )
})
