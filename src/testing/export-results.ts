import type { ExportResult } from '../pipeline/exporter.ts'
import { parseResult } from '../pipeline/outcome.ts'
import { formatValue } from './differences.ts'
import { member } from '../options/own-members.ts'

/**
 * Returns the faults of an export result for a batch of `count` records, one sentence each. With a faulty result, the counts of a
 * pipeline would be wrong.
 */
export function resultFaults(returned: unknown, count: number): string[] {
  const result = parseResult(returned)
  if (result === undefined) return [`${describe(returned)} is not an export result`]
  const acceptedCount = result.status === 'accepted' ? count : result.accepted
  const faults: string[] = []
  if (!isCount(acceptedCount, count))
    faults.push(`accepted must be an integer from 0 to ${count}, the number of records in the batch`)
  if (result.status === 'rejected' && !rejectionReasons.includes(result.reason)) {
    faults.push(`the reason of a rejected result must be one of ${rejectionReasons.join(', ')}`)
  }
  faults.push(...refusedFaults(result, acceptedCount))
  if (result.status === 'retryable' && !isMillis(result.retryAfterMillis))
    faults.push('retryAfterMillis must be a number of 0 or more')
  if (!isCount(result.maybeDuplicated ?? 0, count)) faults.push(`maybeDuplicated must be an integer from 0 to ${count}`)
  return faults.map((fault) => `${fault}: ${describe(returned)}`)
}

/** Returns whether a returned value is a promise. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof member(value as Partial<PromiseLike<unknown>>, 'then') === 'function'
  )
}

const rejectionReasons: readonly string[] = ['rejected', 'io_error', 'retry_exhausted', 'exit_deadline']

function refusedFaults({ refused = [] }: ExportResult, acceptedCount: number): string[] {
  const faults: string[] = []
  if (refused.some(({ records }) => !Number.isInteger(records) || records < 1)) {
    faults.push('records in refused must be an integer of 1 or more')
  }
  if (refused.some(({ reason }) => !['rejected', 'too_large'].includes(reason))) {
    faults.push('the reason in refused must be rejected or too_large')
  }
  if (refused.reduce((sum, { records }) => sum + records, 0) > acceptedCount) {
    faults.push('refused counts more records than accepted, which must include them')
  }
  return faults
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max
}

function isMillis(value: number | undefined): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0)
}

function describe(value: unknown): string {
  try {
    return formatValue(value)
  } catch {
    return 'an unreadable value'
  }
}
