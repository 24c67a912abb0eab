import * as fc from 'fast-check'
import { Script } from 'node:vm'
import { maxStepsPerUnit, patternCostProblem } from '../../../src/redact/pattern-cost.ts'
import { boundSteps } from '../../../src/redact/regexp/step-bound.ts'
import { maxTestedKeyLength } from '../../../src/redact/key-test.ts'
import { countedMatches, TooManySteps } from '../../support/redaction/backtracking-matcher.ts'
import { attacks } from '../../support/redaction/expressions.ts'
import { target, type Target } from './target.ts'

/** The length of the text on which steps are counted, which exceeds the longest repetition in the input. */
const countedText = 400
/** A limit in ms for the real engine on a text of `watchedText` characters, in case the counting matcher has a defect. */
const patience = 1_000
const watchedText = 4_000
/** Texts below this length can take slightly more steps per character than long ones. */
const shortText = 64

const input = fc.record({ attack: attacks, isKey: fc.boolean() })

/**
 * Expressions of all kinds with texts that repeat their matches: an accepted expression takes at most as many steps per character as
 * its bound, and at most 2,048.
 */
export const patterns: Target<unknown> = target('patterns', input, ({ attack: { source, flags, text }, isKey }) => {
  const expression = new RegExp(source, `${flags}g`)
  const textLength = isKey ? maxTestedKeyLength : Infinity
  if (patternCostProblem(expression, textLength) !== undefined) return
  const { stepsPerUnit } = boundSteps(expression, { textLength, limit: maxStepsPerUnit })
  if (stepsPerUnit > maxStepsPerUnit) throw new Error(`accepted with ${stepsPerUnit} steps per character`)
  const searched = text.repeat(Math.ceil(countedText / text.length)).slice(0, isKey ? maxTestedKeyLength : countedText)
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
