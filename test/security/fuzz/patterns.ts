import * as fc from 'fast-check'
import { Script } from 'node:vm'
import { mostStepsPerUnit, patternCostProblem } from '../../../src/rules/pattern-cost.ts'
import { boundSteps } from '../../../src/rules/regexp/step-bound.ts'
import { testedKeyLength } from '../../../src/rules/redact-keys.ts'
import { countedMatches, TooManySteps } from '../../support/backtracking-matcher.ts'
import { attacks } from '../../support/expressions.ts'
import { target, type Target } from './target.ts'

/** The time for one search of this many characters, in ms: 100 times what most steps take. */
const patience = 20_000
const longText = 20_000
/** Texts of fewer characters can take a little more than the average of a long one. */
const shortText = 64

const input = fc.record({ attack: attacks, isKey: fc.boolean() })

/**
 * Expressions of all kinds, with texts that repeat what they match: one that is accepted takes no more steps than its bound on a
 * short text, and its time on a long one is bounded.
 */
export const patterns: Target<unknown> = target('patterns', input, ({ attack: { source, flags, text }, isKey }) => {
  const expression = new RegExp(source, `${flags}g`)
  const textLength = isKey ? testedKeyLength : Infinity
  if (patternCostProblem(expression, textLength) !== undefined) return
  const { stepsPerUnit } = boundSteps(expression, { textLength, most: mostStepsPerUnit })
  const searched = isKey ? text.repeat(9).slice(0, testedKeyLength) : text
  const most = stepsPerUnit * (searched.length + (isKey ? 1 : shortText))
  try {
    countedMatches(expression, searched, most)
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error
    throw new Error(`more than ${most} steps`, { cause: error })
  }
  const long = isKey ? searched : text.repeat(Math.ceil(longText / text.length))
  new Script(
    `${JSON.stringify(long)}.replace(new RegExp(${JSON.stringify(source)}, 'g${flags}'), '')`,
  ).runInThisContext({
    timeout: patience,
  })
})
