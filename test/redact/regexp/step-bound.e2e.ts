import { expressionOf, tokenFormats } from '../patterns/token-formats.ts'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { maxStepsPerUnit } from '../../../src/redact/pattern-cost.ts'
import { boundSteps, type StepBound } from '../../../src/redact/regexp/step-bound.ts'
import { countedMatches, TooManySteps } from '../../support/redaction/backtracking-matcher.ts'
import { attacks } from '../../support/redaction/expressions.ts'

const numRuns = 800
/** Texts shorter than this may take a few more steps per character than long texts on average. */
const shortText = 64

function bound(expression: RegExp, textLength = Infinity): StepBound {
  return boundSteps(expression, { textLength, limit: maxStepsPerUnit })
}

test('the counting matcher finds the same matches as the engine', () => {
  fc.assert(
    fc.property(attacks, ({ source, flags, text }) => {
      const expression = new RegExp(source, `${flags}g`)
      // V8 finds empty matches inside surrogate pairs, where ECMA-262 starts no match.
      const hasPairs = /[uv]/.test(flags) && /[\ud800-\udbff][\udc00-\udfff]/.test(text)
      try {
        const { matches } = countedMatches(expression, text, 50_000)
        const expected = [...text.matchAll(expression)].map(({ 0: match, index }) => [index, index + match.length])
        const isCompared = ([from, to]: readonly number[]): boolean => !hasPairs || from !== to
        expect(matches.filter(isCompared)).toEqual(expected.filter(isCompared))
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error
      }
    }),
    { numRuns },
  )
})

test('the bound includes empty iterations at the beginning of a text', () => {
  for (const expression of [/(?:(?:^)+)+/g, /(?:(?:^)+a?)+b/g, /(?:(?:^|a){1,3})+b/g]) {
    const text = 'a'.repeat(8)
    const most = bound(expression, text.length).stepsPerUnit * (text.length + 1)
    expect(countedMatches(expression, text).steps).toBeLessThanOrEqual(most)
  }
})

describe('upper bound of the steps', () => {
  test.each([true, false])('a search never exceeds its bound, with known text length: %p', (isKnown) => {
    let bounded = 0
    fc.assert(
      fc.property(attacks, ({ source, flags, text }) => {
        const expression = new RegExp(source, `${flags}g`)
        const { stepsPerUnit } = bound(expression, isKnown ? text.length : Infinity)
        if (stepsPerUnit > maxStepsPerUnit) return
        bounded++
        // The engine also tries the position after the last character.
        const most = stepsPerUnit * (text.length + (isKnown ? 1 : shortText))
        expect(countedMatches(expression, text, most + 1).steps).toBeLessThanOrEqual(most)
      }),
      { numRuns },
    )
    expect(bounded).toBeGreaterThan(numRuns / 2)
  })
})

describe('unbounded expressions', () => {
  test.each([
    [/\w+@/, 'a'],
    [/(?:ab)*c/, 'ab'],
    [/<[^>]*>/, '<'],
    [/x?\d{20,}_/, '1'],
    [/(?=\w*!)a/, 'a'],
    [/(?<=a*)b/, 'a'],
    [/(a*)b\1c/, 'a'],
    [/(?:a|aa)+b/, 'a'],
    [/(?:a?){30}b/, 'a'],
  ])('the expression %p has no bound because it takes quadratic time on repetitions of %p', (expression, piece) => {
    expect(bound(expression).stepsPerUnit).toBeGreaterThan(maxStepsPerUnit)
    const matching = new RegExp(expression, 'g')
    const steps = [64, 128].map((length) => stepsUpTo(matching, piece.repeat(length), 1e6))
    // Twice the text takes three times the steps or more.
    expect(steps[1]! >= 1e6 || steps[1]! >= 3 * steps[0]!).toBe(true)
  })
})

function stepsUpTo(expression: RegExp, text: string, most: number): number {
  try {
    return countedMatches(expression, text, most).steps
  } catch (error) {
    if (error instanceof TooManySteps) return most
    throw error
  }
}

describe('expressions for vendor token formats', () => {
  test('expressions for all token formats of vendors are accepted', () => {
    expect(tokenFormats.length).toBeGreaterThan(100)
    const refused = tokenFormats.filter((format) => bound(expressionOf(format)).position !== undefined)
    expect(refused.map(({ name }) => name)).toEqual([])
  })

  test('a token expression is rejected after a lazy repetition of its own characters', () => {
    const format = tokenFormats.find(({ name }) => name === 'github-pat')!
    const expression = new RegExp(`[\\w.-]{0,50}?[\\w.-]{0,50}=[\\w.-]{0,50}${expressionOf(format).source}`)
    expect(bound(expression).position).toBeDefined()
  })
})

describe('large expressions', () => {
  test.each([
    '(?:x?){256}',
    '(?:(?:a{1,99}){1,99}){1,99}',
    'a{100000}',
    `${'('.repeat(200)}a${')'.repeat(200)}`,
    '(?:){1000000000}a',
  ])('the expression %s is rejected as too large without a full analysis', (source) => {
    expect(bound(new RegExp(source))).toMatchObject({ isTooLarge: true, position: expect.any(Number) as unknown })
  })
})
