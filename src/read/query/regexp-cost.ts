import { boundSteps } from '../../redact/regexp/step-bound.ts'

/** The maximum number of steps of a search without a time limit. So many steps take up to some 20 ms. */
const maxDirectSteps = 4_000_000

/** The lengths for which the steps of an expression are counted if they grow faster than the text. */
const triedLengths = [4_096, 512, 64]

/**
 * Returns the length of the longest texts that an expression searches in at most `maxDirectSteps` steps, whatever the text is, in UTF-16
 * units. It is 0 if the steps cannot be bounded.
 */
export function directLength(expression: RegExp): number {
  const { stepsPerUnit, position } = boundSteps(expression, { textLength: Infinity, limit: maxDirectSteps })
  if (position === undefined) return Math.floor(maxDirectSteps / Math.max(1, stepsPerUnit))
  return triedLengths.find((length) => hasBound(expression, length)) ?? 0
}

function hasBound(expression: RegExp, textLength: number): boolean {
  return boundSteps(expression, { textLength, limit: maxDirectSteps / textLength }).position === undefined
}
