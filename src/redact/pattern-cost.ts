import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { boundSteps } from './regexp/step-bound.ts'

/** The maximum number of steps of an expression for each UTF-16 unit of a text. So many steps take a few microseconds. */
export const maxStepsPerUnit = 2_048

/**
 * Checks that an expression takes at most `maxStepsPerUnit` steps for each UTF-16 unit of a text, for any text.
 *
 * @param textLength - the length of the longest text that the expression searches, in UTF-16 units, or Infinity
 * @returns why the expression is rejected, or undefined
 */
export function patternCostProblem(
  expression: RegExp,
  textLength: number,
): Omit<ConfigurationProblem, 'path'> | undefined {
  const { stepsPerUnit, position, isTooLarge } = boundSteps(expression, { textLength, limit: maxStepsPerUnit })
  if (position === undefined) return undefined // within the limit
  const part = quotedPart(expression.source, position)
  return {
    code: 'SLUICE_PATTERN_UNBOUNDED',
    position,
    message: isTooLarge ? tooLargeMessage(part) : tooSlowMessage(part, stepsPerUnit),
  }
}

const quantifier = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y
/** The maximum length of the quoted part of a pattern, in UTF-16 units, without the quantifier at its end. */
const maxQuotedLength = 24

/**
 * Returns in quotes the part of a pattern that ends with the quantifier at `position`; if there is no quantifier, the part that begins
 * there.
 */
function quotedPart(source: string, position: number): string {
  quantifier.lastIndex = position
  const isQuantifier = quantifier.test(source)
  const from = isQuantifier ? Math.max(0, position - maxQuotedLength) : position
  const to = isQuantifier ? quantifier.lastIndex : Math.min(source.length, position + maxQuotedLength)
  return `"${from > 0 ? '…' : ''}${source.slice(from, to)}${to < source.length ? '…' : ''}"`
}

function tooLargeMessage(part: string): string {
  return `${part} is too large to be analyzed; lower the limits of its repetitions`
}

function tooSlowMessage(part: string, steps: number): string {
  return Number.isFinite(steps)
    ? `${part} takes up to ${formatSteps(steps)} steps per character (limit ${maxStepsPerUnit}); lower its limit, or separate it from the repetition before it`
    : `${part} takes more than linear time; limit it with {1,64}, or put a character before it that it cannot match`
}

/** Returns a number of steps as text. Bounds above 1e9 are not exact. */
function formatSteps(steps: number): string {
  return steps < 1e9 ? String(Math.ceil(steps)) : '1e9'
}
