import { isStandardLevel } from '../../record/severity.ts'
import type { ReadRecord } from '../record.ts'
import { canonicalLevel, effectiveSeverity, severityInterval } from './level-severity.ts'
import type { ComparisonOperator, QueryValue } from './query.ts'
import { orders, type OrderOperator } from './value-tests.ts'

/**
 * Returns the test of a comparison with a level. Names are compared by their severity numbers, without regard to case: `level=warn` matches
 * the numbers 13 to 16. A custom level matches by its name. `!=` is the test of `=`, which the caller negates.
 */
export function levelTest(operator: ComparisonOperator, value: QueryValue): (record: ReadRecord) => boolean {
  const isEquality = operator === '=' || operator === '!='
  if (typeof value === 'string') return isEquality ? nameTest(value) : nameOrderTest(operator, value)
  if (typeof value !== 'number') return () => false
  if (isEquality) return ({ severityNumber }) => effectiveSeverity(severityNumber) === value
  const isInOrder = orders[operator]
  return ({ severityNumber }) => isInOrder(effectiveSeverity(severityNumber), value)
}

function nameTest(level: string): (record: ReadRecord) => boolean {
  const name = level.toLowerCase()
  const canonical = canonicalLevel(level)
  const interval = isStandardLevel(canonical) ? severityInterval(canonical) : undefined
  return (record) => {
    if (record.level === canonical || record.severityText?.toLowerCase() === name) return true
    // A name such as `notice` is one number, which other names have too, so only standard levels match by number.
    if (interval === undefined) return false
    const severity = effectiveSeverity(record.severityNumber)
    return severity >= interval.from && severity <= interval.to
  }
}

function nameOrderTest(operator: OrderOperator, level: string): (record: ReadRecord) => boolean {
  const interval = severityInterval(level)
  if (interval === undefined) return () => false
  const { from, to } = interval
  const limit = operator === '>=' || operator === '<' ? from : to
  const isInOrder = orders[operator]
  return ({ severityNumber }) => isInOrder(effectiveSeverity(severityNumber), limit)
}
