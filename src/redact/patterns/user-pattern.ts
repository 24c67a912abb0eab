import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { patternCostProblem } from '../pattern-cost.ts'
import { matchLength } from '../regexp/match-length.ts'
import { parseRegExp } from '../regexp/syntax.ts'
import type { TextPattern } from './text-pattern.ts'

/** Creates a pattern from a user's expression, or returns the reason why the expression is rejected. */
export function createUserPattern(
  userExpression: RegExp,
  censor: string,
): TextPattern | Omit<ConfigurationProblem, 'path'> {
  // A copy with `g`, to find all matches, and without `y` and `d`: matches can begin anywhere, and their indices are not needed.
  const expression = new RegExp(userExpression.source, `${userExpression.flags.replaceAll(/[gyd]/g, '')}g`)
  const problem = patternCostProblem(expression, Infinity)
  if (problem !== undefined) return problem
  const { min, max } = matchLength(parseRegExp(expression))
  if (min === 0) return { code: 'SLUICE_OPTION_RANGE', message: matchesEmptyMessage(userExpression.source) }
  return {
    minTextLength: min,
    // The end of the longest match decides whether it is one.
    lookaheadLength: max,
    // No character is known to occur in every match.
    anchors: [],
    // Without `g`, which keeps the last position.
    expression: new RegExp(expression.source, expression.flags.replace('g', '')),
    find({ text, startLimit }, matches) {
      expression.lastIndex = 0
      try {
        for (
          let match = expression.exec(text);
          match !== null && match.index < startLimit;
          match = expression.exec(text)
        )
          matches.push({ from: match.index, to: expression.lastIndex, censor })
      } catch {
        // The engine's stack overflowed, after some millions of characters. It is safer to redact too much.
        matches.push({ from: 0, to: text.length, censor })
      }
    },
  }
}

function matchesEmptyMessage(source: string): string {
  const part = source.length > 40 ? `${source.slice(0, 40)}…` : source
  return `"${part}" can match an empty string; require a character, such as + or {1,64} instead of *, ? or {0,64}`
}
