import type { CapturedRecord } from './captured-record.ts'
import { formatValue } from './differences.ts'
import { mismatches, type LogQuery } from './log-query.ts'
import { member, withoutPrototype } from '../options/own-members.ts'

/** The maximum number of records in a message. */
const maxRecords = 5

/**
 * Returns a text with the records that are closest to a query that no record matches, each with the reasons why it does not match;
 * '' when there are no records.
 */
export function nearMisses(records: readonly CapturedRecord[], query: LogQuery): string {
  const misses = records
    .map((record) => ({ record, reasons: mismatches(record, query) }))
    .toSorted((one, other) => one.reasons.length - other.reasons.length)
  return listText(misses, ({ record, reasons }) => [recordLine(record), ...reasons.map((reason) => `    ${reason}`)])
}

/** Returns records as text, one line each. */
export function recordLines(records: readonly CapturedRecord[]): string {
  return listText(records, (record) => [recordLine(record)])
}

function listText<T>(items: readonly T[], linesOf: (item: T) => string[]): string {
  const omittedCount = items.length - maxRecords
  const note = omittedCount > 0 ? [`  … and ${omittedCount} more`] : []
  return [...items.slice(0, maxRecords).flatMap(linesOf), ...note].join('\n')
}

function recordLine(record: CapturedRecord): string {
  const { level, message, attributes } = record
  const error = withoutPrototype(member(record, 'error'))
  const errorText = error === undefined ? '' : ` [${[error.type, error.message].filter(Boolean).join(': ')}]`
  const attributesText = Object.keys(attributes).length === 0 ? '' : ` ${formatValue(attributes)}`
  return `  ${level} ${formatValue(message)}${attributesText}${errorText}`
}
