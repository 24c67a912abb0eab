import type { BatchBuffer } from './batch-buffer.ts'
import type { ExportResult, RejectedRecords } from './exporter.ts'
import { member } from '../options/own-members.ts'
import { dropReasons, type DropReason } from './counters.ts'

const statuses: readonly unknown[] = ['accepted', 'retryable', 'rejected', 'unknown']

/** A result of an exporter whose members can have any type. */
type UncheckedResult = { readonly [name in (typeof resultMembers)[number]]?: unknown }
const resultMembers = [
  'status',
  'accepted',
  'reason',
  'refused',
  'maybeDuplicated',
  'retryAfterMillis',
  'statusCode',
] as const

/**
 * Returns a copy of the result of an exporter, or undefined if the result is invalid. Each member is read once. Exporters can be
 * user code, in JavaScript without types.
 */
export function parseResult(returned: unknown): ExportResult | undefined {
  try {
    const unchecked = returned as UncheckedResult
    const result = Object.create(null) as Record<string, unknown>
    for (const name of resultMembers) {
      const value = member(unchecked, name)
      if (value !== undefined) result[name] = name === 'refused' ? parseRefused(value) : value
    }
    const { status, reason } = result
    const isValid = statuses.includes(status) && (status !== 'rejected' || dropReasons.includes(reason as DropReason))
    return isValid ? (result as unknown as ExportResult) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a copy of the member `refused`.
 *
 * @throws TypeError if the member is invalid
 */
function parseRefused(value: unknown): RejectedRecords[] {
  if (!Array.isArray(value)) throw new TypeError('refused is not an array')
  return value.map((part: RejectedRecords) => {
    const records = member(part, 'records')!
    const reason = member(part, 'reason')!
    if (!dropReasons.includes(reason) || !(records >= 0)) throw new TypeError('invalid item of refused')
    return { records, reason }
  })
}

/**
 * Counts the outcome of each record of a batch in the counters of its owner, and calls `onLeftQueue` of the owners.
 *
 * @param leftoverReason - drop reason of the records that could be retried
 * @param wasExported - whether the batch was handed to the exporter
 * @returns the number of records that were not written, including those with an unknown outcome
 */
export function countOutcome(
  buffer: BatchBuffer,
  result: ExportResult,
  leftoverReason: DropReason,
  wasExported = true,
): number {
  const { count } = buffer
  const acceptedCount = result.status === 'accepted' ? count : clampCount(count, result.accepted)
  const refused = result.refused ?? []
  const writtenCount = clampCount(
    acceptedCount,
    refused.reduce((remaining, { records }) => remaining - records, acceptedCount),
  )
  if (result.maybeDuplicated !== undefined) {
    buffer.forEachOwnerRun(0, clampCount(count, result.maybeDuplicated), ({ counters }, records) => {
      counters.maybeDuplicated += records
    })
  }
  buffer.forEachOwnerRun(0, writtenCount, (owner, records) => {
    owner.counters.written += records
    owner.counters.queued -= records
    owner.onLeftQueue?.(true)
  })
  if (writtenCount === count) return 0
  // The refused records are not identified, so the last accepted ones count as refused.
  let dropFrom = writtenCount
  for (const { records, reason } of refused)
    dropFrom = countDropped(buffer, dropFrom, Math.min(dropFrom + records, acceptedCount), reason, wasExported)
  if (result.status === 'unknown') {
    buffer.forEachOwnerRun(acceptedCount, count, (owner, records) => {
      owner.counters.unknown += records
      owner.counters.queued -= records
      owner.onLeftQueue?.(true)
    })
  } else {
    countDropped(
      buffer,
      acceptedCount,
      count,
      result.status === 'rejected' ? result.reason : leftoverReason,
      wasExported,
    )
  }
  return count - writtenCount
}

/** Counts the records from index `from` up to, but not including, `to` as dropped. Returns `to`. */
function countDropped(buffer: BatchBuffer, from: number, to: number, reason: DropReason, wasExported: boolean): number {
  const index = dropReasons.indexOf(reason)
  buffer.forEachRecord(from, to, (owner, severity) => {
    owner.counters.queued--
    owner.counters.drop(reason, severity)
    if (wasExported) owner.counters.failedByReason[index]!++
    owner.onLeftQueue?.(false)
  })
  return to
}

/** Limits a record count of an exporter, which can be any value, to the range from 0 to `max`. */
function clampCount(max: number, records: number): number {
  return Math.max(0, Math.min(max, Math.floor(records) || 0))
}
