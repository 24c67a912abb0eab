import { expect, test } from '@jest/globals'
import { captureLogs, explainRedaction, type ExplainedRedaction, type Redact } from '../../src/entries/testing.ts'

const redacted = '[REDACTED]'
const sample = {
  user: { name: 'Ada', password: 'hunter2', email: 'ada@example.com' },
  cards: [{ number: '4111 1111 1111 1111' }, { number: 'none' }],
  'x-y': { token: 't' },
  request: { headers: { authorization: 'Bearer abc', accept: '*/*' } },
}

test.each<[string, Redact, object | string, ExplainedRedaction[]]>([
  [
    'a path',
    ['user.password'],
    { user: sample.user },
    [{ path: 'user.password', rule: 'paths: user.password', replacement: redacted }],
  ],
  [
    'several rules that match one value',
    { paths: ['**.password'], keys: ['password', { preset: 'secrets' }] },
    { user: sample.user },
    ['paths: **.password', 'keys: password', 'keys: secrets'].map((rule) => ({
      path: 'user.password',
      rule,
      replacement: redacted,
    })),
  ],
  [
    'an expression of names',
    { keys: [/^tok/i] },
    { 'x-y': sample['x-y'] },
    [{ path: '["x-y"].token', rule: 'keys: /^tok/i', replacement: redacted }],
  ],
  [
    'the preset of keys',
    { keys: 'secrets' },
    { apiKey: 'k' },
    [{ path: 'apiKey', rule: 'keys: secrets', replacement: redacted }],
  ],
  [
    'patterns in text',
    { patterns: ['card', { name: 'mail', pattern: /\w{1,64}@\w{1,64}/, censor: '<mail>' }] },
    { ...sample, request: undefined },
    [
      { path: 'user.email', rule: 'patterns: mail', replacement: '<mail>.com' },
      { path: 'cards[0].number', rule: 'patterns: card', replacement: redacted },
    ],
  ],
  [
    'a pattern in a message',
    { patterns: [/hunter\d/] },
    'the password is hunter2',
    [{ path: '(message)', rule: 'patterns: /hunter\\d/', replacement: `the password is ${redacted}` }],
  ],
  [
    'a pattern in the name of a member',
    { patterns: [/secret-\d+/] },
    { a: { 'secret-12': 1, b: 2 } },
    [{ path: 'a["secret-12"]', rule: 'patterns: /secret-\\d+/', replacement: redacted }],
  ],
  [
    'the rule for credential headers',
    {},
    sample.request,
    [{ path: 'headers.authorization', rule: 'credentialHeaders', replacement: redacted }],
  ],
  ['no rule', { credentialHeaders: false }, sample, []],
  [
    'omitted members, and items that become null',
    { paths: ['user.password', 'cards[0]'], remove: true },
    sample,
    [
      { path: 'user.password', rule: 'paths: user.password', replacement: undefined },
      { path: 'cards[0]', rule: 'paths: cards[0]', replacement: null },
      { path: 'request.headers.authorization', rule: 'credentialHeaders', replacement: redacted },
    ],
  ],
  [
    'a function that returns the replacement',
    { paths: ['user.password'], censor: (value, path) => `${String(value).length} of ${path.join('/')}` },
    { user: sample.user },
    [{ path: 'user.password', rule: 'paths: user.password', replacement: '7 of user/password' }],
  ],
  [
    'a rule for a value inside another redacted value',
    { paths: ['user', 'user.password'] },
    { user: sample.user },
    [{ path: 'user', rule: 'paths: user', replacement: redacted }],
  ],
  [
    'members of Object.prototype as names',
    { keys: ['__proto__', 'constructor'] },
    JSON.parse('{"a":{"__proto__":"x","constructor":1}}') as object,
    [
      { path: 'a.__proto__', rule: 'keys: __proto__', replacement: redacted },
      { path: 'a.constructor', rule: 'keys: constructor', replacement: redacted },
    ],
  ],
])('explainRedaction lists %s', (_, redact, value, expected) => {
  expect(explainRedaction(redact, value)).toEqual(expected)
})

test('explainRedaction returns the replacements that a log call writes, also in a value with more members than the limits allow', () => {
  const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`secret${index}`, { password: index }]))
  const redact = { paths: ['**.password'], censor: (value: unknown) => Number(value) + 1 }
  const logs = captureLogs({ redact })
  logs.logger.info('text', { secret1: wide['secret1']! })
  const explained = explainRedaction(redact, wide)
  expect(explained).toHaveLength(2_000)
  expect(logs.records[0]!.attributes['secret1']).toEqual({ password: explained[1]!.replacement })
})

test('explainRedaction reports all invalid rules in one error', () => {
  expect(() => explainRedaction({ paths: ['a..b'], keys: 7 as never }, {})).toThrow(
    /^SLUICE_CONFIG: explainRedaction: [^]*redact\.paths\[0\][^]*redact\.keys/,
  )
  expect(() => explainRedaction(undefined, {})).not.toThrow()
})
