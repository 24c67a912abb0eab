import { buildAutomaton, type Automaton } from './automaton.ts'
import { maxPaths, PathCounts } from './path-counts.ts'
import { parseRegExp, PatternTooLarge } from './syntax.ts'

/** The maximum work of a regular expression. */
export interface StepBound {
  /**
   * An upper bound of the steps of a search for each UTF-16 unit of a text, on average over the text, for any text. A step is an attempt to
   * match one character, or an assertion, on one of the paths that the engine tries. Infinity if the bound grows with the length of the
   * text.
   */
  readonly stepsPerUnit: number
  /** If the bound exceeds the limit, the offset of the quantifier that causes it, in UTF-16 units. */
  readonly position: number | undefined
  /** Whether the bound could not be determined, because the expression has too many states or unknown syntax. */
  readonly isTooLarge: boolean
}

/** Options of `boundSteps`. */
export interface StepBoundOptions {
  /** The length of the longest text that is searched, in UTF-16 units, or Infinity. */
  readonly textLength: number
  /** The limit of `stepsPerUnit` above which a position is determined. */
  readonly most: number
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
    let exceeded: StepBound | undefined
    const automaton = buildAutomaton(root, expression.sticky, (lookaround) => {
      const once = boundOnce(lookaround, options)
      if (once.stepsPerUnit <= maxChecks) return { checks: once.stepsPerUnit, stepsPerUnit: 0 }
      const everywhere = boundEverywhere(lookaround, options)
      if (everywhere.position === undefined) return { checks: 1, stepsPerUnit: everywhere.stepsPerUnit }
      if (once.position !== undefined) exceeded ??= once
      return { checks: Math.min(once.stepsPerUnit, maxPaths), stepsPerUnit: 0 }
    })
    return exceeded ?? boundEverywhere(automaton, options)
  } catch (error) {
    // Any other error means that the engine supports syntax that the parser does not.
    const position = error instanceof PatternTooLarge ? error.position : 0
    return { stepsPerUnit: Infinity, position, isTooLarge: true }
  }
}

/** The maximum steps of a lookaround that are counted for each evaluation; with more steps they are counted for each character. */
const maxChecks = 64

/** Returns the bound of a search that may start at each character. */
function boundEverywhere(automaton: Automaton, { textLength, most }: StepBoundOptions): StepBound {
  const paths = new PathCounts(automaton, 'everywhere')
  const growing = paths.settle()
  if (growing === undefined) {
    const steps = paths.averageSteps(textLength)
    return exceeding(steps, most, () => paths.positionOf(most, steps))
  }
  if (textLength === Infinity) return exceeding(Infinity, most, () => growing)
  const limited = new PathCounts(automaton, 'everywhere')
  let sum = limited.peakSteps()
  for (let at = 0; at < textLength && sum <= maxPaths; at++) {
    limited.advance()
    sum += limited.peakSteps()
  }
  const steps = sum / textLength
  return exceeding(steps, most, () => limited.positionOf(most, steps))
}

/** Returns the bound of one evaluation of a lookaround: all of its steps, not those for each UTF-16 unit. */
function boundOnce(automaton: Automaton, { textLength, most }: StepBoundOptions): StepBound {
  const paths = new PathCounts(automaton, 'once')
  let sum = 0
  // A path that is longer than the number of states is a loop.
  const rounds = textLength < Infinity ? textLength : automaton.states.length
  for (let at = 0; at <= rounds; at++) {
    const steps = paths.peakSteps()
    if (steps === 0) return exceeding(sum, most, () => undefined)
    sum += steps
    if (sum > most) break
    paths.advance()
  }
  const isBounded = sum <= most && textLength < Infinity
  return exceeding(isBounded ? sum : Infinity, most, () => paths.firstReached())
}

function exceeding(stepsPerUnit: number, most: number, position: () => number | undefined): StepBound {
  return { stepsPerUnit, position: stepsPerUnit > most ? position() : undefined, isTooLarge: false }
}
