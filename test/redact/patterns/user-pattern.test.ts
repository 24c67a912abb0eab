import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createLogger } from '../../../src/create/create-logger.ts'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { TextPatterns } from '../../../src/redact/patterns/text-patterns.ts'
import { createUserPattern } from '../../../src/redact/patterns/user-pattern.ts'
import { thrower } from '../../support/values/hostile.ts'

const withFlags = (get: () => never): RegExp => Object.defineProperty(/x/, 'flags', { get })

/** Returns the position at which an expression is rejected; undefined if it is accepted. */
function refusedAt(pattern: RegExp): number | undefined {
  const created = createUserPattern(pattern, 'X')
  return 'find' in created ? undefined : (created.position ?? -1)
}

describe('accepted expressions', () => {
  test.each([
    /ORD-\d{6}/,
    /\w{1,64}@\w{1,64}\.\w{1,24}/,
    /\b[A-Z]{2}\d{2} ?\d{4} ?\d{4} ?\d{4}\b/,
    /[A-Z]{2}(?: ?[A-Z\d]{4}){3}/,
    /(?:password|secret)=[^&\s]{1,256}/i,
    /(?:password|secret)\s*[:=]\s*\S+/i,
    /"token":\s*"(?:[^"\\]|\\.)*"/,
    /(?<=token=)[\w-]{8,64}/,
    /jan|feb|mar/,
    /https?:\/\/[^\s/]{1,128}/,
    /\p{Lu}\p{Ll}{2,20}/u,
    /[[a-z]--[aeiou]]{4}/v,
    /\u{1f600}{1,4}/u,
    /(?<name>ab){2}c/,
    /a{1,256}b{1,256}/,
    /(?:a|a){1,9}/,
    /(?=.{1,9}b)a/,
    /(['"])\w{1,64}\1/,
    /a?a?a?a?a?a?b/,
    /^\s*user \w+:/,
    /[\q{abc|de}]/v,
    /[[\q{abc|}x]--\q{}]/v,
    /x[\q{a|bc}x]{1,64}y/v,
    /[\q{\u{1f600}x|\x61\|b}]/v,
    /\p{RGI_Emoji}/v,
    /:[[\p{RGI_Emoji}]--\q{x}]:/v,
    /(?<=[\q{ab|c}])x/v,
  ])('the expression %p is accepted because its time grows at most linearly with the text', (pattern) => {
    expect(refusedAt(pattern)).toBeUndefined()
  })
})

describe('rejected expressions', () => {
  test.each<[RegExp, number]>([
    [/\d{1,64}(?:[ -]?)\d{1,64}(?:[ -]?)\d{1,64}@/, 19],
    [/a{0,256}(?:x?)a{0,256}(?:x?)b/, 12],
    [/a{1,64}(?:|b)a{1,64}c/, 14],
    [/a{1,64}(?:(?=a)|b)?a{1,64}c/, 20],
    [/a{1,64}(?:\b)?a{1,64}c/, 15],
    [/\w+@/, 2],
    [/a*b/, 1],
    [/a{1,}b/, 1],
    [/x(?:a{1,9}){1,9}y/, 5],
    [/\w{1,64}\w{1,64}@/, 10],
    [/\w{1,64}[a-z]{0,40}@/, 13],
    [/(?:x\w{1,64})\w{1,64}-/, 15],
    [/[a-z]{1,64}[A-Z]{1,64}-/i, 16],
    [/(a{1,64})\1\1b/, 9],
    [/(?<=a{1,256}a{1,256})b/, 13],
  ])('the expression %p is rejected with the position %i of its quantifier', (pattern, position) => {
    expect(refusedAt(pattern)).toBe(position)
  })

  test('an expression of unbounded cost throws a ConfigurationError with a remedy', () => {
    const redact = { patterns: ['jwt', { name: 'mail', pattern: /\w+@\w+\.\w+/ }] as const }
    expect(() => createLogger({ redact })).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            code: 'SLUICE_PATTERN_UNBOUNDED',
            path: 'redact.patterns[1].pattern',
            position: 2,
            message: expect.stringContaining('{1,64}') as unknown,
          }),
        ],
      }),
    )
  })
})

test.each<[unknown, string, string]>([
  ['jwt', 'redact.patterns', 'SLUICE_OPTION_TYPE'],
  [['jtw'], 'redact.patterns[0]', 'SLUICE_OPTION_RANGE'],
  [['constructor'], 'redact.patterns[0]', 'SLUICE_OPTION_RANGE'],
  [[1], 'redact.patterns[0]', 'SLUICE_OPTION_TYPE'],
  [[{ name: 'x', pattern: 'x' }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_TYPE'],
  [[{ name: 'x', pattern: /x/, censor: 1 }], 'redact.patterns[0].censor', 'SLUICE_OPTION_TYPE'],
  [[{ name: 'x', pattern: /x/, censored: 1 }], 'redact.patterns[0].censored', 'SLUICE_OPTION_UNKNOWN'],
  [[{ name: 'x', pattern: /x{0,3}/ }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
  [[{ name: 'x', pattern: /[\q{abc|}]/v }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
  [[{ name: 'x', pattern: /(?=x)/ }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
])('patterns: %p is rejected at %s with %s', (patterns, path, code) => {
  const problems = [expect.objectContaining({ path, code }) as unknown]
  expect(() => createLogger({ redact: { patterns } as never })).toThrow(expect.objectContaining({ problems }))
})

test('a pattern is copied without calling its getters', () => {
  expect(() => createLogger({ redact: { patterns: [withFlags(thrower)] } })).not.toThrow()
})

/** Returns a message and an attribute as they are written. */
function written(redact: object): unknown {
  const exporter = memoryExporter()
  const log = createLogger({ redact, exporter })
  log.info({ a: 'AB-1, AB-22' }, 'AB-3 x')
  log.flushSync()
  const [record] = exporter.records
  return [record!.message, record!.attributes!.a]
}

test('each match is replaced by the censor of the pattern, then of the rules, then by [REDACTED]', () => {
  const pattern = /AB-\d{1,9}/g
  expect(written({ patterns: [{ name: 'ab', pattern }] })).toEqual(['[REDACTED] x', '[REDACTED], [REDACTED]'])
  expect(written({ patterns: [{ name: 'ab', pattern }], censor: '-' })).toEqual(['- x', '-, -'])
  expect(written({ patterns: [{ name: 'ab', pattern, censor: 'AB' }], censor: '-' })).toEqual(['AB x', 'AB, AB'])
  expect(written({ patterns: [{ name: 'ab', pattern }], censor: () => 'f' })).toEqual([
    '[REDACTED] x',
    '[REDACTED], [REDACTED]',
  ])
})

test('a lookahead also reads past the position where a text is truncated', () => {
  const created = createUserPattern(/secret(?= of the house)/, 'X')
  if (!('find' in created)) throw new Error('refused')
  const text = `a secret of the house${'.'.repeat(1_000)}`
  for (const length of [3, 8, 12]) expect(new TextPatterns([created]).redactBeginning(text, length)).not.toContain('s')
  expect(new TextPatterns([created]).redact(text)).toBe(text.replace('secret', 'X'))
})

test('user patterns with the flags g and y keep no state between texts', () => {
  for (const pattern of [/ab/g, /ab/y]) {
    const created = createUserPattern(pattern, 'X')
    if (!('find' in created)) throw new Error('refused')
    const patterns = new TextPatterns([created])
    expect(patterns.redact('ab cd ab')).toBe('X cd X')
    expect(patterns.redact('cd ab')).toBe('cd X')
  }
})

test('the guide lists rejected expressions, each with an accepted one', () => {
  const guide = readFileSync(new URL('../../../docs/guides/redaction.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `\/(.+)\/` +\| [^|\n]+ \| `\/(.+)\/` +\|$/gm)]
  expect(rows).toHaveLength(5)
  for (const [, refused = '', accepted = ''] of rows) {
    expect(refusedAt(new RegExp(refused))).toBeDefined()
    expect(refusedAt(new RegExp(accepted))).toBeUndefined()
  }
})

test('an inline modifier for case insensitivity is part of the cost check', () => {
  const refused = [/a{1,256}A{1,256}!/i]
  try {
    refused.push(new RegExp('(?i:a{1,256})A{1,256}!'), new RegExp('(?:a{1,256}(?-i:a{1,256}))!', 'i'))
  } catch {
    // Older engines do not support modifiers.
  }
  for (const expression of refused) expect(refusedAt(expression)).toBeDefined()
  expect(refusedAt(/a{1,256}A{1,256}!/)).toBeUndefined()
})

test('a text on which the engine exhausts the stack is redacted as a whole', () => {
  const created = createUserPattern(/"key":"(?:[^"\\]|\\.)*"/, 'X')
  if (!('find' in created)) throw new Error('refused')
  const patterns = new TextPatterns([created])
  expect(patterns.redact(`{"key":"${'a'.repeat(20_000_000)}"}`)).toMatch(/^(?:X|\{X\})$/)
})

describe('messages for rejected expressions', () => {
  const long = 'x'.repeat(300)
  test.each<[RegExp, string]>([
    [/\w+@\w+/, '"\\w+…" takes more than linear time; limit it with {1,64}'],
    [new RegExp(`${long}\\w*@`), `"…${'x'.repeat(22)}\\w*…" takes more than linear time`],
    [/a{0,256}(?:x?)a{0,256}(?:x?)b/, 'steps per character (limit 2048); lower its limit'],
    [/\w{1,64}\w{1,64}@/, '"\\w{1,64}\\w{1,64}…" takes up to'],
    [/(?:(?:a{1,99}){1,99}){1,99}/, 'is too large to be analyzed; lower the limits of its repetitions'],
    [/[\q{a|ab|b}]+c/v, '"[\\q{a|ab|b}]+…" takes more than linear time'],
    [/\p{RGI_Emoji}+x/v, '"\\p{RGI_Emoji}+x" takes more than linear time'],
    [/x{0,3}/, '"x{0,3}" can match an empty string; require a character'],
    [new RegExp(`(?:${long})?`), `"(?:${'x'.repeat(37)}…" can match an empty string`],
    [/[\q{abc|}]/v, '"[\\q{abc|}]" can match an empty string'],
  ])('the message for %p quotes the rejected part in at most 200 characters', (pattern, part) => {
    const patterns = [...Array<'jwt'>(10).fill('jwt'), { name: 'x', pattern }]
    let message = ''
    try {
      createLogger({ redact: { patterns } })
    } catch (error) {
      ;({ message } = error as Error)
    }
    expect(message).toMatch(/^SLUICE_CONFIG: createLogger: redact\.patterns\[10\]\.pattern/)
    expect(message).toContain(part)
    expect(message.length).toBeLessThanOrEqual(200 + 'SLUICE_CONFIG: createLogger: '.length)
  })
})

test('strings of a character class are found in any surrounding text', () => {
  const created = createUserPattern(/[\q{abc|de}]|\p{RGI_Emoji}/v, 'X')
  if (!('find' in created)) throw new Error('refused')
  const patterns = new TextPatterns([created])
  const text = 'abc de 👩🏻‍❤️‍💋‍👩🏾 1️⃣ ab d'
  expect(patterns.redact(text)).toBe('X X X X ab d')
  // The characters of an emoji that is divided by the cut are read completely.
  expect(patterns.redactBeginning(`${text}${' '.repeat(100)}`, 9)).toBe('X X X')
})

test('a regular expression without a name is a pattern', () => {
  const exporter = memoryExporter()
  createLogger({
    exporter,
    redact: { patterns: [/ORD-\d{6}/, { pattern: /INV-\d{6}/, censor: 'INV' }], censor: '***' },
  }).info('ORD-123456 and INV-123456')
  expect(exporter.records[0]!.message).toBe('*** and INV')
})

test('a regular expression that may take too long is rejected at the path of the item', () => {
  expect(() => createLogger({ redact: { patterns: ['email', /\w+@\w+/] } })).toThrow(
    /redact\.patterns\[1\] at \d+: .*SLUICE_PATTERN_UNBOUNDED/,
  )
})
