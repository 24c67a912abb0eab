import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { patternCostProblem } from '../pattern-cost.ts'
import { matchLength } from '../regexp/match-length.ts'
import { parseRegExp } from '../regexp/syntax.ts'
import type { TextPattern } from './text-pattern.ts'

/** Creates a pattern from a user's expression, or returns the reason why the expression is rejected. */
export function userPattern(given: RegExp, censor: string): TextPattern | Omit<ConfigurationProblem, 'path'> {
  // A copy, because flags that keep state between texts must be under our control.
  const expression = new RegExp(given.source, `${given.flags.replaceAll(/[gyd]/g, '')}g`)
  const problem = patternCostProblem(expression, Infinity)
  if (problem !== undefined) return problem
  const { least, most } = matchLength(parseRegExp(expression))
  if (least === 0) return { code: 'SLUICE_OPTION_RANGE', message: matchesEmpty(given.source) }
  return {
    least,
    longest: most,
    anchors: [],
    // Without `g`, which keeps the last position.
    expression: new RegExp(expression.source, expression.flags.replace('g', '')),
    find({ text, end }, found) {
      expression.lastIndex = 0
      try {
        for (let match = expression.exec(text); match !== null && match.index < end; match = expression.exec(text))
          found.push({ from: match.index, to: expression.lastIndex, censor })
      } catch {
        // The engine's stack overflowed, after some millions of characters. It is safer to redact too much.
        found.push({ from: 0, to: text.length, censor })
      }
    },
  }
}

function matchesEmpty(source: string): string {
  const part = source.length > 40 ? `${source.slice(0, 40)}…` : source
  return `"${part}" can match an empty string; require a character, such as + or {1,64} instead of *, ? or {0,64}`
}
