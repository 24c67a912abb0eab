import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { mostStepsPerUnit } from '../../../src/rules/pattern-cost.ts'
import { boundSteps, type StepBound } from '../../../src/rules/regexp/step-bound.ts'
import { countedMatches, TooManySteps } from '../../support/backtracking-matcher.ts'
import { attacks } from '../../support/expressions.ts'

const numRuns = 800
/** Texts of fewer characters than this can take a little more than the average of a long one. */
const shortText = 64

function bound(expression: RegExp, textLength = Infinity): StepBound {
  return boundSteps(expression, { textLength, most: mostStepsPerUnit })
}

test('the counting matcher finds what the engine finds', () => {
  fc.assert(
    fc.property(attacks, ({ source, flags, text }) => {
      const expression = new RegExp(source, `${flags}g`)
      try {
        const { matches } = countedMatches(expression, text, 50_000)
        const expected = [...text.matchAll(expression)].map(({ 0: match, index }) => [index, index + match.length])
        expect(matches).toEqual(expected)
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error
      }
    }),
    { numRuns },
  )
})

describe('the steps that a search takes do not exceed the bound for any expression', () => {
  test.each([true, false])('when the length of the text is known: %p', (isKnown) => {
    let bounded = 0
    fc.assert(
      fc.property(attacks, ({ source, flags, text }) => {
        const expression = new RegExp(source, `${flags}g`)
        const { stepsPerUnit } = bound(expression, isKnown ? text.length : Infinity)
        if (stepsPerUnit > mostStepsPerUnit) return
        bounded++
        // The engine also tries the place behind the last character.
        const most = stepsPerUnit * (text.length + (isKnown ? 1 : shortText))
        expect(countedMatches(expression, text, most + 1).steps).toBeLessThanOrEqual(most)
      }),
      { numRuns },
    )
    expect(bounded).toBeGreaterThan(numRuns / 2)
  })
})

describe('an expression that can take quadratic time or more is unbounded', () => {
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
  ])('%p on repetitions of %p', (expression, piece) => {
    expect(bound(expression).stepsPerUnit).toBeGreaterThan(mostStepsPerUnit)
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

describe('the published rules of gitleaks', () => {
  const path = new URL('gitleaks-rules.json', import.meta.url)
  // Rule id, expression and flags, from config/gitleaks.toml of github.com/gitleaks/gitleaks, July 2026 (MIT license), in the
  // syntax of JavaScript.
  const rules = JSON.parse(readFileSync(path, 'utf8')) as (readonly [id: string, source: string, flags: string])[]

  function refused(change: (source: string) => string): string[] {
    const all = rules.filter(([, source, flags]) => bound(new RegExp(change(source), flags)).position !== undefined)
    return all.map(([id]) => id)
  }

  // In a scanner's report it shows what is in front of a match.
  const context = String.raw`[\w.-]{0,50}?`
  const unbounded = [
    // Repetitions without a limit, in front of what may be missing: quadratic time.
    'curl-auth-header',
    'curl-auth-user',
    'facebook-page-access-token',
    // 150 characters of a value, in 9 notations, behind any of 8 words.
    'generic-api-key',
    'jwt',
    'kraken-access-token',
    'kubernetes-secret-yaml',
    'nuget-config-password',
    'nytimes-access-token',
    'private-key',
  ]

  test('are accepted, 210 of 220, without the repetition that they begin with', () => {
    expect(rules).toHaveLength(220)
    expect(refused((source) => source.replaceAll(context, ''))).toEqual(unbounded)
  })

  test('are accepted as they are, 112 of 220, unless they begin with a repetition', () => {
    const all = refused((source) => source)
    expect(all).toHaveLength(220 - 112)
    const others = rules.filter(([id, source]) => all.includes(id) && !source.includes(context))
    expect(others.map(([id]) => id).filter((id) => !unbounded.includes(id))).toEqual([])
  })
})

describe('a large expression is refused without an attempt to follow it', () => {
  test.each([
    '(?:x?){256}',
    '(?:(?:a{1,99}){1,99}){1,99}',
    'a{100000}',
    `${'('.repeat(200)}a${')'.repeat(200)}`,
    '(?:){1000000000}a',
  ])('%s', (source) => {
    expect(bound(new RegExp(source))).toMatchObject({ isTooLarge: true, position: expect.any(Number) as unknown })
  })
})
