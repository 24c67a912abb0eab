import { expect, test } from '@jest/globals'
import { sampleRules, sampleValue } from '../../../docs/site/.vitepress/playground/redaction-sample.ts'
import { testRedaction } from '../../../docs/site/.vitepress/playground/worker/test-redaction.ts'

test('a test of rules returns what is written, and the rule of each redacted value', () => {
  const { written, redacted, problems } = testRedaction({
    kind: 'redaction',
    rules: "{ paths: ['a.b'], keys: ['pin'], patterns: [/ORD-\\d{6}/], remove: true }",
    sample: '{ "a": { "b": 1 }, "pin": 2, "note": "ORD-123456 sent", "headers": { "cookie": "x" } }',
  })
  expect(problems).toEqual([])
  expect(JSON.parse(written!)).toEqual({ a: {}, note: '[REDACTED] sent', headers: { cookie: '[REDACTED]' } })
  expect(redacted.rows).toEqual([
    { path: 'a.b', rule: 'paths: a.b', replacement: undefined },
    { path: 'pin', rule: 'keys: pin', replacement: undefined },
    { path: 'note', rule: 'patterns: /ORD-\\d{6}/', replacement: '[REDACTED] sent' },
    { path: 'headers.cookie', rule: 'credentialHeaders', replacement: '[REDACTED]' },
  ])
})

test('a test of rules accepts the text of a message, and empty rules', () => {
  const rules = "{ patterns: ['email'] }"
  expect(testRedaction({ kind: 'redaction', rules, sample: '"mail to ann@example.com {x}"' })).toMatchObject({
    written: '"mail to [REDACTED] {x}"',
    redacted: { rows: [{ path: '(message)', rule: 'patterns: email' }], hidden: 0 },
  })
  expect(testRedaction({ kind: 'redaction', rules: ' ', sample: '{ "a": 1 }' })).toMatchObject({
    written: '{\n  "a": 1\n}',
    redacted: { rows: [], hidden: 0 },
  })
})

test('the first rules and the first sample of the page have no problems', () => {
  const { problems, redacted } = testRedaction({ kind: 'redaction', rules: sampleRules, sample: sampleValue })
  expect(problems).toEqual([])
  expect(new Set(redacted.rows.map(({ rule }) => rule)).size).toBe(7)
})

test.each([
  ["{ path: ['a'] }", '{}', 'rules', /^redact\.path: unknown option; did you mean "paths"/],
  ["{ paths: ['$.a'] }", '{}', 'rules', /redact\.paths\[0\]/],
  ['{ patterns: [/(a+)+b/] }', '{}', 'rules', /redact\.patterns\[0\]/],
  ["{ paths: [a'] }", '{}', 'rules', /^Line 1, column 12: /],
  ['', '{ "a": }', 'sample', /^Line 1, column 8: Unexpected token$/],
  ['', '[1]', 'sample', /^must be an object with attributes/],
  ['', '', 'sample', /^must be an object with attributes/],
])('a test of the rules %j and the sample %j reports the problem of the %s', (rules, sample, field, message) => {
  const { problems, written } = testRedaction({ kind: 'redaction', rules, sample })
  expect(problems).toEqual([{ field, message: expect.stringMatching(message) }])
  expect(written).toBeUndefined()
})
