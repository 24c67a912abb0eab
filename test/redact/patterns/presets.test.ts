import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { PatternPresetName } from '../../../src/redact/patterns/presets.ts'
import { createPresetPattern, TextPatterns } from '../../../src/redact/patterns/text-patterns.ts'
import { negatives, positives } from './corpora.ts'

const names = Object.keys(positives) as PatternPresetName[]

function patternsOf(...some: readonly PatternPresetName[]): TextPatterns {
  return new TextPatterns(some.map((name) => createPresetPattern(name, '[R]')))
}

describe.each(names)('the preset %s', (name) => {
  test.each(positives[name].map(({ text, redacted, source }) => [source, text, redacted]))(
    'the preset redacts an example of %s: %p',
    (_, text, redacted) => {
      expect(patternsOf(name).redact(text)).toBe(redacted)
    },
  )

  test.each(negatives[name].map(({ text, source }) => [source, text]))('the preset ignores %s: %p', (_, text) => {
    expect(patternsOf(name).redact(text)).toBe(text)
  })

  test('the preset redacts a match inside any surrounding text', () => {
    const around = fc.string({ unit: 'binary', maxLength: 20 })
    const corpus = fc.constantFrom(...positives[name])
    const whole = patternsOf(name)
    fc.assert(
      fc.property(around, corpus, around, (before, { text }, after) => {
        const redacted = whole.redact(`${before} | ${text} | ${after}`)
        expect(redacted).not.toContain(text)
        expect(redacted).toContain('[R]')
      }),
    )
  })

  test('the preset redacts the beginning of an example alone as it does in a longer text', () => {
    const whole = patternsOf(name)
    const room = ' '.repeat(64)
    for (const { text } of positives[name])
      for (let length = 1; length <= Math.min(text.length, 64); length++) {
        const beginning = text.slice(0, length)
        expect([beginning, whole.redact(room + beginning)]).toEqual([beginning, room + whole.redact(beginning)])
      }
  })

  test('the preset leaves no part of a match where a text is truncated inside it', () => {
    const whole = patternsOf(name)
    fc.assert(
      fc.property(fc.constantFrom(...positives[name]), fc.nat(), ({ text, redacted }, place) => {
        const input = `${'.'.repeat(40)} ${text} ${'.'.repeat(20_000)}`
        const length = 41 + (place % (text.length + 20))
        const cut = whole.redactBeginning(input, length)
        // The text before the cut equals the redacted whole, up to a censor that the cut may have divided.
        const expected = `${'.'.repeat(40)} ${redacted} ${'.'.repeat(40)}`
        expect(expected.startsWith(cut) || cut.endsWith('[R]')).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(length + '[R]'.length)
      }),
    )
  })
})

test.each(['pw=a', 'otp=1', 'pwd:"a"', 'a://:b@', 'pwd=a;x'])(
  'the secret in %s, one of the shortest, is redacted alone',
  (text) => {
    expect(patternsOf('credentials').redact(text)).toContain('[R]')
  },
)

test.each(['xoxb-0123456789', 'LTAI0123456789AB', 'sk_live_0123456789', 'sm_aat_0123456789abcdef'])(
  'the token %s, one of the shortest that issuers publish, is redacted alone',
  (token) => expect(patternsOf('credentials').redact(token)).toBe('[R]'),
)

test('a token of any length that is truncated is redacted up to the cut', () => {
  const token = `eyJ${'a'.repeat(40_000)}.eyJpc3MiOiJqb2UifQ.abc`
  for (const length of [5, 20, 30_000]) expect(patternsOf('jwt').redactBeginning(`x ${token} y`, length)).toBe('x [R]')
  const secret = `password=${'a'.repeat(40_000)} y`
  for (const length of [12, 30_000])
    expect(patternsOf('credentials').redactBeginning(secret, length)).toBe('password=[R]')
})

test('a token that is longer than its documented format is redacted completely', () => {
  for (const beginning of ['AKIA', 'ghp_', 'npm_', 'xoxb-', 'AIza', 'sk-']) {
    const token = beginning + 'A'.repeat(300)
    expect(patternsOf('credentials').redact(`key ${token}, next`)).toBe('key [R], next')
  }
})

test('a text without matches is returned unchanged', () => {
  const all = patternsOf(...names)
  const text = 'order 42 was placed by customer 4711 from Berlin at 09:56:03, paid: yes'
  expect(all.redact(text)).toBe(text)
  expect(all.redact(text)).toBe(text)
})

test('all presets together redact what each redacts, and overlapping matches are redacted together', () => {
  const all = patternsOf(...names)
  for (const { text } of names.flatMap((name) => positives[name])) expect(all.redact(text)).toContain('[R]')
  const url = 'https://bob:4111111111111111@example.com/?token=eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.&x=1'
  expect(all.redact(url)).toBe('https://bob:[R]@example.com/?token=[R]&x=1')
})

test('the cache of texts without matches does not change the result for other texts', () => {
  const all = patternsOf(...names)
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          ...Array.from({ length: 26 }, (_, index) => `word${String.fromCharCode(97 + index)}`),
          ...names.flatMap((name) => positives[name].map(({ text }) => text)),
        ),
        { maxLength: 60 },
      ),
      (texts) => {
        const fresh = patternsOf(...names)
        for (const text of texts) expect(all.redact(text)).toBe(fresh.redact(text))
      },
    ),
  )
})
