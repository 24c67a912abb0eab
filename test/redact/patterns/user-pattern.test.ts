import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createLogger } from '../../../src/create/create-logger.ts'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import { TextPatterns } from '../../../src/redact/patterns/text-patterns.ts'
import { userPattern } from '../../../src/redact/patterns/user-pattern.ts'
import { thrower } from '../../support/values/hostile.ts'

const withFlags = (get: () => never): RegExp => Object.defineProperty(/x/, 'flags', { get })

/** Where it is refused; undefined where it is not. */
function refusedAt(pattern: RegExp): number | undefined {
  const made = userPattern(pattern, 'X')
  return 'find' in made ? undefined : (made.position ?? -1)
}

describe('an expression is accepted whose time grows no faster than the text', () => {
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
  ])('%p', (pattern) => {
    expect(refusedAt(pattern)).toBeUndefined()
  })
})

describe('any other is refused, with the position of the quantifier', () => {
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
  ])('%p at %i', (pattern, position) => {
    expect(refusedAt(pattern)).toBe(position)
  })

  test('as an error of configuration that says what to do', () => {
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
  [[{ name: 'x', pattern: withFlags(thrower) }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_TYPE'],
  [[{ name: 'x', pattern: /x/, censor: 1 }], 'redact.patterns[0].censor', 'SLUICE_OPTION_TYPE'],
  [[{ name: 'x', pattern: /x/, censored: 1 }], 'redact.patterns[0].censored', 'SLUICE_OPTION_UNKNOWN'],
  [[{ name: 'x', pattern: /x{0,3}/ }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
  [[{ name: 'x', pattern: /[\q{abc|}]/v }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
  [[{ name: 'x', pattern: /(?=x)/ }], 'redact.patterns[0].pattern', 'SLUICE_OPTION_RANGE'],
])('patterns: %p is refused at %s with %s', (patterns, path, code) => {
  const problems = [expect.objectContaining({ path, code }) as unknown]
  expect(() => createLogger({ redact: { patterns } as never })).toThrow(expect.objectContaining({ problems }))
})

/** A message and an attribute, as they are written. */
function written(redact: object): unknown {
  const exporter = memoryExporter()
  const log = createLogger({ redact, exporter })
  log.info({ a: 'AB-1, AB-22' }, 'AB-3 x')
  log.flushSync()
  const [record] = exporter.records
  return [record!.message, record!.attributes!.a]
}

test('each match is replaced by the censor of the pattern, else of the rules, else by [REDACTED]', () => {
  const pattern = /AB-\d{1,9}/g
  expect(written({ patterns: [{ name: 'ab', pattern }] })).toEqual(['[REDACTED] x', '[REDACTED], [REDACTED]'])
  expect(written({ patterns: [{ name: 'ab', pattern }], censor: '-' })).toEqual(['- x', '-, -'])
  expect(written({ patterns: [{ name: 'ab', pattern, censor: 'AB' }], censor: '-' })).toEqual(['AB x', 'AB, AB'])
  expect(written({ patterns: [{ name: 'ab', pattern }], censor: () => 'f' })).toEqual([
    '[REDACTED] x',
    '[REDACTED], [REDACTED]',
  ])
})

test('what an expression looks ahead for is read where a text is cut, too', () => {
  const made = userPattern(/secret(?= of the house)/, 'X')
  if (!('find' in made)) throw new Error('refused')
  const text = `a secret of the house${'.'.repeat(1_000)}`
  for (const length of [3, 8, 12]) expect(new TextPatterns([made]).upTo(text, length)).not.toContain('s')
  expect(new TextPatterns([made]).redacted(text)).toBe(text.replace('secret', 'X'))
})

test('flags g and y of an expression carry nothing from one text to the next', () => {
  for (const pattern of [/ab/g, /ab/y]) {
    const made = userPattern(pattern, 'X')
    if (!('find' in made)) throw new Error('refused')
    const patterns = new TextPatterns([made])
    expect(patterns.redacted('ab cd ab')).toBe('X cd X')
    expect(patterns.redacted('cd ab')).toBe('cd X')
  }
})

test('the guide has expressions that are refused, each with one that is accepted', () => {
  const guide = readFileSync(new URL('../../../docs/guides/redaction.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `\/(.+)\/` +\| [^|\n]+ \| `\/(.+)\/` +\|$/gm)]
  expect(rows).toHaveLength(5)
  for (const [, refused = '', accepted = ''] of rows) {
    expect(refusedAt(new RegExp(refused))).toBeDefined()
    expect(refusedAt(new RegExp(accepted))).toBeUndefined()
  }
})

test('a group that ignores case by itself is read so', () => {
  const refused = [/a{1,256}A{1,256}!/i]
  try {
    refused.push(new RegExp('(?i:a{1,256})A{1,256}!'), new RegExp('(?:a{1,256}(?-i:a{1,256}))!', 'i'))
  } catch {
    // Older engines do not have the form.
  }
  for (const expression of refused) expect(refusedAt(expression)).toBeDefined()
  expect(refusedAt(/a{1,256}A{1,256}!/)).toBeUndefined()
})

test('a text on which the engine runs out of stack is redacted as a whole', () => {
  const made = userPattern(/"key":"(?:[^"\\]|\\.)*"/, 'X')
  if (!('find' in made)) throw new Error('refused')
  const patterns = new TextPatterns([made])
  expect(patterns.redacted(`{"key":"${'a'.repeat(20_000_000)}"}`)).toMatch(/^(?:X|\{X\})$/)
})

describe('the message for an expression that is refused quotes its part, and is at most 200 characters long', () => {
  const long = 'x'.repeat(300)
  test.each<[RegExp, string]>([
    [/\w+@\w+/, '"\\w+…" takes time that grows faster than the text; write {1,64}'],
    [new RegExp(`${long}\\w*@`), `"…${'x'.repeat(22)}\\w*…" takes time that grows`],
    [/a{0,256}(?:x?)a{0,256}(?:x?)b/, 'steps per character (limit 2048); lower its limit'],
    [/\w{1,64}\w{1,64}@/, '"\\w{1,64}\\w{1,64}…" takes up to'],
    [/(?:(?:a{1,99}){1,99}){1,99}/, 'is too large to be checked; lower the limits of its repetitions'],
    [/[\q{a|ab|b}]+c/v, '"[\\q{a|ab|b}]+…" takes time that grows faster than the text'],
    [/\p{RGI_Emoji}+x/v, '"\\p{RGI_Emoji}+x" takes time that grows faster than the text'],
    [/x{0,3}/, '"x{0,3}" can match the empty text; require a character'],
    [new RegExp(`(?:${long})?`), `"(?:${'x'.repeat(37)}…" can match the empty text`],
    [/[\q{abc|}]/v, '"[\\q{abc|}]" can match the empty text'],
  ])('%p', (pattern, part) => {
    const patterns = [...Array<'jwt'>(10).fill('jwt'), { name: 'x', pattern }]
    let message = ''
    try {
      createLogger({ redact: { patterns } })
    } catch (error) {
      ;({ message } = error as Error)
    }
    expect(message).toMatch(/^SLUICE_CONFIG: redact\.patterns\[10\]\.pattern/)
    expect(message).toContain(part)
    expect(message.length).toBeLessThanOrEqual(200 + 'SLUICE_CONFIG: '.length)
  })
})

test('finds the strings of a class whatever the text around them is', () => {
  const made = userPattern(/[\q{abc|de}]|\p{RGI_Emoji}/v, 'X')
  if (!('find' in made)) throw new Error('refused')
  const patterns = new TextPatterns([made])
  const text = 'abc de 👩🏻‍❤️‍💋‍👩🏾 1️⃣ ab d'
  expect(patterns.redacted(text)).toBe('X X X X ab d')
  // Characters of an emoji that is cut are read whole.
  expect(patterns.upTo(`${text}${' '.repeat(100)}`, 9)).toBe('X X X')
})
