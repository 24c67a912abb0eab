import type { ExportResult } from '../pipeline/exporter.ts'
import { resultOf } from '../pipeline/outcome.ts'
import { shown } from './differences.ts'
import { member } from '../options/own-members.ts'

/**
 * Returns the faults of an export result for a batch of `count` records, one sentence each. A pipeline would accept such a result
 * and count incorrectly.
 */
export function resultFaults(answer: unknown, count: number): string[] {
  const result = resultOf(answer)
  if (result === undefined) return [`${described(answer)} is not an export result`]
  const settled = result.status === 'accepted' ? count : result.accepted
  const faults: string[] = []
  if (!isCount(settled, count))
    faults.push(`accepted must be an integer from 0 to ${count}, the number of records in the batch`)
  if (result.status === 'rejected' && !reasons.includes(result.reason)) {
    faults.push(`the reason of a rejected result must be one of ${reasons.join(', ')}`)
  }
  faults.push(...refusedFaults(result, settled))
  if (result.status === 'retryable' && !isMillis(result.retryAfterMillis))
    faults.push('retryAfterMillis must be a number of 0 or more')
  if (!isCount(result.maybeDuplicated ?? 0, count)) faults.push(`maybeDuplicated must be an integer from 0 to ${count}`)
  return faults.map((fault) => `${fault}: ${described(answer)}`)
}

/** Returns whether a result is a promise. */
export function isPending(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    typeof member(answer as Partial<PromiseLike<unknown>>, 'then') === 'function'
  )
}

const reasons: readonly string[] = ['rejected', 'io_error', 'retry_exhausted', 'exit_deadline']

function refusedFaults({ refused = [] }: ExportResult, settled: number): string[] {
  const faults: string[] = []
  if (refused.some(({ records }) => !Number.isInteger(records) || records < 1)) {
    faults.push('records in refused must be an integer of 1 or more')
  }
  if (refused.some(({ reason }) => !['rejected', 'too_large'].includes(reason))) {
    faults.push('the reason in refused must be rejected or too_large')
  }
  if (refused.reduce((sum, { records }) => sum + records, 0) > settled) {
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

function described(answer: unknown): string {
  try {
    return shown(answer)
  } catch {
    return 'an unreadable value'
  }
}
