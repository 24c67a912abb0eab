import type { CapturedRecord } from './captured-record.ts'
import { shown } from './differences.ts'
import { reasonsAgainst, type LogQuery } from './log-query.ts'
import { member, ownCopy } from '../options/own-members.ts'

/** How many records are told. */
const mostTold = 5

/** The records that come nearest to a query that none answers, each with what is in its way; '' where there are none. */
export function nearMisses(records: readonly CapturedRecord[], query: LogQuery): string {
  const misses = records
    .map((record) => ({ record, reasons: reasonsAgainst(record, query) }))
    .toSorted((one, other) => one.reasons.length - other.reasons.length)
  return told(misses, ({ record, reasons }) => [recordLine(record), ...reasons.map((reason) => `    ${reason}`)])
}

/** Records, a line each. */
export function recordLines(records: readonly CapturedRecord[]): string {
  return told(records, (record) => [recordLine(record)])
}

function told<T>(all: readonly T[], lines: (one: T) => string[]): string {
  const more = all.length - mostTold
  const rest = more > 0 ? [`  … and ${more} more`] : []
  return [...all.slice(0, mostTold).flatMap(lines), ...rest].join('\n')
}

function recordLine(record: CapturedRecord): string {
  const { level, message, attributes } = record
  const error = ownCopy(member(record, 'error'))
  const thrown = error === undefined ? '' : ` [${[error.type, error.message].filter(Boolean).join(': ')}]`
  const said = Object.keys(attributes).length === 0 ? '' : ` ${shown(attributes)}`
  return `  ${level} ${shown(message)}${said}${thrown}`
}
