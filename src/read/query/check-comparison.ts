import { nearestName } from '../../options/nearest-name.ts'
import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { standardLevels, severityRange } from '../../record/severity.ts'
import { isTimeText, timeTextForms } from '../time/time-text.ts'
import { suggestedLevels, severityInterval } from './level-severity.ts'
import { formatNames } from './format-names.ts'
import type { ComparisonOperator, QueryPath, QueryValue } from './query.ts'
import { fieldOf } from './record-field.ts'

/** Returns why a value has no order; undefined if it can be compared with `>`, `>=`, `<` and `<=`. */
export function orderProblem(operator: ComparisonOperator, value: QueryValue): string | undefined {
  if (typeof value !== 'boolean' && value !== null) return undefined
  return `${operator} cannot compare with ${String(value)}; use = or !=`
}

/** Returns why a comparison with a part of a record can never match or is ambiguous, and what to write instead. */
export function comparisonProblem(
  path: QueryPath,
  operator: ComparisonOperator | '~' | 'contains' | 'like',
  value: QueryValue,
): string | undefined {
  switch (fieldOf(path)) {
    case 'level':
      return operator === '~' || operator === 'contains' || operator === 'like'
        ? undefined
        : levelProblem(operator, value)
    case 'time':
      return timeProblem(operator, value)
    case 'format':
      return operator === '=' || operator === '!=' ? formatProblem(value) : undefined
    default:
      return undefined
  }
}

function levelProblem(operator: ComparisonOperator, value: QueryValue): string | undefined {
  if (typeof value === 'number') {
    if (value >= 0 && value <= 24) return undefined
    const name = standardLevels[severityRange(severityOfPinoLevel(value))]!
    return `${value} is not a severity number (1 to 24); write level${operator}${name}`
  }
  if (typeof value !== 'string') return 'a level is compared with a name or a severity number'
  if (operator === '=' || operator === '!=' || severityInterval(value) !== undefined) return undefined
  const suggestion = nearestName(value, suggestedLevels)
  const advice =
    suggestion === undefined ? `the levels are ${standardLevels.join(', ')}` : `did you mean ${suggestion}?`
  return `the order of the level "${value}" is unknown; ${advice}`
}

function timeProblem(operator: string, value: QueryValue): string | undefined {
  if (operator === '~' || operator === 'contains' || operator === 'like')
    return 'the time is not a text; compare it with >= or <'
  if (typeof value !== 'boolean' && value !== null && isTimeText(String(value))) return undefined
  return `${JSON.stringify(String(value))} is not a time; write ${timeTextForms}`
}

function formatProblem(value: QueryValue): string | undefined {
  if (typeof value === 'string' && formatNames.includes(value.toLowerCase())) return undefined
  const suggestion = nearestName(String(value), formatNames)
  return suggestion === undefined
    ? `there is no format ${JSON.stringify(String(value))}; the formats are ${formatNames.join(', ')}`
    : `there is no format ${JSON.stringify(String(value))}; did you mean ${suggestion}?`
}
