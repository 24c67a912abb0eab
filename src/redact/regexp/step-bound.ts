import { buildAutomaton, type Automaton } from './automaton.ts'
import { maxPaths, PathCounts } from './path-counts.ts'
import { parseRegExp, PatternTooLargeError } from './syntax.ts'

/** The maximum work of a regular expression. */
export interface StepBound {
  /**
   * An upper bound of the steps of a search for each UTF-16 unit of a text, on average over the text, for any text. A step is an attempt to
   * match one character, or an assertion, on one of the paths that the engine tries. Infinity if the bound grows with the length of the
   * text.
   */
  readonly stepsPerUnit: number
  /**
   * The offset in the pattern of what exceeds the limit, in UTF-16 units, usually a quantifier; undefined if the bound is within the limit.
   */
  readonly position: number | undefined
  /** Whether the bound could not be determined, because the expression has too many states or unknown syntax. */
  readonly isTooLarge: boolean
}

/** Options of `boundSteps`. */
export interface StepBoundOptions {
  /** The length of the longest text that is searched, in UTF-16 units, or Infinity. */
  readonly textLength: number
  /** The limit of `stepsPerUnit`. */
  readonly limit: number
}

/**
 * Returns an upper bound of the steps of a backtracking engine such as V8's over all texts, for a search of all successive matches.
 *
 * At each character, the engine visits a state of the expression's automaton once for each path that leads there, from each start that it
 * tries. So the number of paths, from all starts together, bounds its visits (`PathCounts`).
 */
export function boundSteps(expression: RegExp, options: StepBoundOptions): StepBound {
  try {
    const root = parseRegExp(expression)
    let exceededBound: StepBound | undefined
    const automaton = buildAutomaton(root, expression.sticky, (lookaround) => {
      // The `stepsPerUnit` of this bound are all steps of one evaluation.
      const onceBound = boundOnce(lookaround, options)
      if (onceBound.stepsPerUnit <= maxStepsPerEvaluation)
        return { stepsPerEvaluation: onceBound.stepsPerUnit, stepsPerUnit: 0 }
      const everywhereBound = boundEverywhere(lookaround, options)
      if (everywhereBound.position === undefined)
        return { stepsPerEvaluation: 1, stepsPerUnit: everywhereBound.stepsPerUnit }
      if (onceBound.position !== undefined) exceededBound ??= onceBound
      return { stepsPerEvaluation: Math.min(onceBound.stepsPerUnit, maxPaths), stepsPerUnit: 0 }
    })
    return exceededBound ?? boundEverywhere(automaton, options)
  } catch (error) {
    // Any other error means that the engine accepts syntax that the parser does not support.
    const position = error instanceof PatternTooLargeError ? error.position : 0
    return { stepsPerUnit: Infinity, position, isTooLarge: true }
  }
}

/** If one evaluation of a lookaround takes more steps, they are counted for each character of the text instead of for each evaluation. */
const maxStepsPerEvaluation = 64

/** Returns the bound of a search that may start at each character. */
function boundEverywhere(automaton: Automaton, { textLength, limit }: StepBoundOptions): StepBound {
  const paths = new PathCounts(automaton, 'everywhere')
  const growingPosition = paths.advanceUntilStable()
  if (growingPosition === undefined) {
    const steps = paths.averageSteps(textLength)
    return stepBound(steps, limit, () => paths.excessPosition(limit, steps))
  }
  if (textLength === Infinity) return stepBound(Infinity, limit, () => growingPosition)
  const limitedPaths = new PathCounts(automaton, 'everywhere')
  let sum = limitedPaths.peakSteps()
  for (let at = 0; at < textLength && sum <= maxPaths; at++) {
    limitedPaths.advance()
    sum += limitedPaths.peakSteps()
  }
  const steps = sum / textLength
  return stepBound(steps, limit, () => limitedPaths.excessPosition(limit, steps))
}

/** Returns the bound of one evaluation of a lookaround. Its `stepsPerUnit` are all steps of the evaluation. */
function boundOnce(automaton: Automaton, { textLength, limit }: StepBoundOptions): StepBound {
  const paths = new PathCounts(automaton, 'once')
  let sum = 0
  // A path that is longer than the number of states contains a loop.
  const rounds = textLength < Infinity ? textLength : automaton.states.length
  for (let at = 0; at <= rounds; at++) {
    const steps = paths.peakSteps()
    if (steps === 0) return stepBound(sum, limit, () => undefined)
    sum += steps
    if (sum > limit) break
    paths.advance()
  }
  const isBounded = sum <= limit && textLength < Infinity
  return stepBound(isBounded ? sum : Infinity, limit, () => paths.firstReachedPosition())
}

/** Returns the bound. `position` is called if it exceeds the limit. */
function stepBound(stepsPerUnit: number, limit: number, position: () => number | undefined): StepBound {
  return { stepsPerUnit, position: stepsPerUnit > limit ? position() : undefined, isTooLarge: false }
}
