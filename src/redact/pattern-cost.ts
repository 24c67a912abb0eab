import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { boundSteps } from './regexp/step-bound.ts'

/** The maximum number of steps of an expression for each UTF-16 unit of a text, which take a few microseconds. */
export const maxStepsPerUnit = 2_048

/**
 * Checks that the time of an expression is at most linear in the length of the text, for any text.
 *
 * @param textLength - the length of the longest text that the expression searches, in UTF-16 units, or Infinity
 * @returns why the expression is rejected, or undefined
 */
export function patternCostProblem(
  expression: RegExp,
  textLength: number,
): Omit<ConfigurationProblem, 'path'> | undefined {
  const { stepsPerUnit, position, isTooLarge } = boundSteps(expression, { textLength, most: maxStepsPerUnit })
  if (position === undefined) return undefined
  const part = partAt(expression.source, position)
  return {
    code: 'SLUICE_PATTERN_UNBOUNDED',
    position,
    message: isTooLarge ? tooLarge(part) : tooSlow(part, stepsPerUnit),
  }
}

const quantifier = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y
/** How much of a pattern a message quotes before a quantifier, or from a part without one, in UTF-16 units. */
const longestQuote = 24

/** Quotes the part of a pattern that ends with the quantifier at `position`, or that begins there. */
function partAt(source: string, position: number): string {
  quantifier.lastIndex = position
  const isQuantifier = quantifier.test(source)
  const from = isQuantifier ? Math.max(0, position - longestQuote) : position
  const to = isQuantifier ? quantifier.lastIndex : Math.min(source.length, position + longestQuote)
  return `"${from > 0 ? '…' : ''}${source.slice(from, to)}${to < source.length ? '…' : ''}"`
}

function tooLarge(part: string): string {
  return `${part} is too large to be analyzed; lower the limits of its repetitions`
}

function tooSlow(part: string, steps: number): string {
  return Number.isFinite(steps)
    ? `${part} takes up to ${shown(steps)} steps per character (limit ${maxStepsPerUnit}); lower its limit, or separate it from the repetition before it`
    : `${part} takes more than linear time; limit it with {1,64}, or put a character before it that it cannot match`
}

function shown(steps: number): string {
  return steps < 1e9 ? String(Math.ceil(steps)) : '1e9'
}
