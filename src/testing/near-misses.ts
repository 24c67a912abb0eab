import type { CapturedRecord } from './captured-record.ts'
import { shown } from './differences.ts'
import { mismatches, type LogQuery } from './log-query.ts'
import { member, ownCopy } from '../options/own-members.ts'

/** The maximum number of records in a message. */
const maxRecords = 5

/**
 * Returns the records closest to a query that no record matches, each with the reasons why it does not match; '' when there are
 * none.
 */
export function nearMisses(records: readonly CapturedRecord[], query: LogQuery): string {
  const misses = records
    .map((record) => ({ record, reasons: mismatches(record, query) }))
    .toSorted((one, other) => one.reasons.length - other.reasons.length)
  return listed(misses, ({ record, reasons }) => [recordLine(record), ...reasons.map((reason) => `    ${reason}`)])
}

/** Returns records as text, one line each. */
export function recordLines(records: readonly CapturedRecord[]): string {
  return listed(records, (record) => [recordLine(record)])
}

function listed<T>(all: readonly T[], lines: (one: T) => string[]): string {
  const more = all.length - maxRecords
  const rest = more > 0 ? [`  … and ${more} more`] : []
  return [...all.slice(0, maxRecords).flatMap(lines), ...rest].join('\n')
}

function recordLine(record: CapturedRecord): string {
  const { level, message, attributes } = record
  const error = ownCopy(member(record, 'error'))
  const thrown = error === undefined ? '' : ` [${[error.type, error.message].filter(Boolean).join(': ')}]`
  const attributesText = Object.keys(attributes).length === 0 ? '' : ` ${shown(attributes)}`
  return `  ${level} ${shown(message)}${attributesText}${thrown}`
}
