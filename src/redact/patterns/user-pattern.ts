import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { patternCostProblem } from '../pattern-cost.ts'
import { matchLength } from '../regexp/match-length.ts'
import { parseRegExp } from '../regexp/syntax.ts'
import type { TextPattern } from './text-pattern.ts'

/** Creates a pattern of a user's expression, or reports why its time on a text could grow faster than the text. */
export function userPattern(given: RegExp, censor: string): TextPattern | Omit<ConfigurationProblem, 'path'> {
  // A copy: flags that carry something from one text to the next are ours.
  const expression = new RegExp(given.source, `${given.flags.replaceAll(/[gyd]/g, '')}g`)
  const problem = patternCostProblem(expression, Infinity)
  if (problem !== undefined) return problem
  const { least, most } = matchLength(parseRegExp(expression))
  if (least === 0) return { code: 'SLUICE_OPTION_RANGE', message: matchesEmpty(given.source) }
  return {
    least,
    longest: most,
    anchors: [],
    // Without `g`, which remembers where it was.
    expression: new RegExp(expression.source, expression.flags.replace('g', '')),
    find({ text, end }, found) {
      expression.lastIndex = 0
      try {
        for (let match = expression.exec(text); match !== null && match.index < end; match = expression.exec(text))
          found.push({ from: match.index, to: expression.lastIndex, censor })
      } catch {
        // The engine's stack is exhausted, after some millions of characters: to redact too much is the smaller harm.
        found.push({ from: 0, to: text.length, censor })
      }
    },
  }
}

function matchesEmpty(source: string): string {
  const part = source.length > 40 ? `${source.slice(0, 40)}…` : source
  return `"${part}" can match the empty text; require a character, as with + or {1,64} in place of *, ? or {0,64}`
}
