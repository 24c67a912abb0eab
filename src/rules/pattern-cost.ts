import type { ConfigurationProblem } from '../record/problems.ts'
import { boundSteps } from './regexp/step-bound.ts'

/** The steps that an expression may take for each UTF-16 unit of a text: some microseconds. */
export const mostStepsPerUnit = 2_048

/**
 * Checks that the time of an expression on any text grows no faster than the text.
 *
 * @param textLength - the longest text that it is given, in UTF-16 units, or Infinity
 * @returns why it is refused, or undefined
 */
export function patternCostProblem(
  expression: RegExp,
  textLength: number,
): Omit<ConfigurationProblem, 'path'> | undefined {
  const { stepsPerUnit, position, isTooLarge } = boundSteps(expression, { textLength, most: mostStepsPerUnit })
  if (position === undefined) return undefined
  return { code: 'SLUICE_PATTERN_UNBOUNDED', position, message: isTooLarge ? tooLarge : tooSlow(stepsPerUnit) }
}

const tooLarge = 'is too large to be checked; lower the limits of its repetitions'

function tooSlow(steps: number): string {
  const found = Number.isFinite(steps)
    ? `takes up to ${shown(steps)} steps per character`
    : 'takes time that grows faster than the text'
  const limit = Number.isFinite(steps) ? ` (limit ${mostStepsPerUnit})` : ''
  return `${found}${limit}; limit the repetition, as {1,64}, or put a character before it that it cannot match; do not begin with one`
}

function shown(steps: number): string {
  return steps < 1e9 ? String(Math.ceil(steps)) : '1e9'
}
