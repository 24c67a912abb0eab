import * as fc from 'fast-check'
import { Script } from 'node:vm'
import { mostStepsPerUnit, patternCostProblem } from '../../../src/redact/pattern-cost.ts'
import { boundSteps } from '../../../src/redact/regexp/step-bound.ts'
import { testedKeyLength } from '../../../src/redact/keys.ts'
import { countedMatches, TooManySteps } from '../../support/redaction/backtracking-matcher.ts'
import { attacks } from '../../support/redaction/expressions.ts'
import { target, type Target } from './target.ts'

/** Steps are counted on a text of this length, which is more than the longest repetition in the input. */
const countedText = 400
/** A watchdog, for a defect of the counting matcher: the time of the engine for a text of this length, in ms. */
const patience = 1_000
const watchedText = 4_000
/** Texts of fewer characters can take a little more than the average of a long one. */
const shortText = 64

const input = fc.record({ attack: attacks, isKey: fc.boolean() })

/**
 * Expressions of all kinds, with texts that repeat what they match: one that is accepted takes no more steps per character than its
 * bound, and at most 2,048.
 */
export const patterns: Target<unknown> = target('patterns', input, ({ attack: { source, flags, text }, isKey }) => {
  const expression = new RegExp(source, `${flags}g`)
  const textLength = isKey ? testedKeyLength : Infinity
  if (patternCostProblem(expression, textLength) !== undefined) return
  const { stepsPerUnit } = boundSteps(expression, { textLength, most: mostStepsPerUnit })
  if (stepsPerUnit > mostStepsPerUnit) throw new Error(`accepted with ${stepsPerUnit} steps per character`)
  const searched = text.repeat(Math.ceil(countedText / text.length)).slice(0, isKey ? testedKeyLength : countedText)
  const most = stepsPerUnit * (searched.length + (isKey ? 1 : shortText))
  try {
    countedMatches(expression, searched, most)
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error
    throw new Error(`more than ${most} steps`, { cause: error })
  }
  const long = isKey ? searched : text.repeat(Math.ceil(watchedText / text.length))
  new Script(
    `${JSON.stringify(long)}.replace(new RegExp(${JSON.stringify(source)}, 'g${flags}'), '')`,
  ).runInThisContext({
    timeout: patience,
  })
})
