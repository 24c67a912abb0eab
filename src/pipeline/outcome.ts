import type { BatchBuffer } from './batch-buffer.ts'
import type { ExportResult, RejectedRecords } from './exporter.ts'
import { member } from '../options/own-members.ts'
import { dropReasons, type DropReason } from './counters.ts'

const statuses: readonly unknown[] = ['accepted', 'retryable', 'rejected', 'unknown']

type UncheckedResult = { readonly [name in (typeof members)[number]]?: unknown }
const members = [
  'status',
  'accepted',
  'reason',
  'refused',
  'maybeDuplicated',
  'retryAfterMillis',
  'statusCode',
] as const

/**
 * Returns the result of an exporter, with each member read once, or undefined if it is invalid. Exporters can be user code, in
 * JavaScript without types.
 */
export function resultOf(returned: unknown): ExportResult | undefined {
  try {
    const given = returned as UncheckedResult
    const result = Object.create(null) as Record<string, unknown>
    for (const name of members) {
      const value = member(given, name)
      if (value !== undefined) result[name] = name === 'refused' ? refusedOf(value) : value
    }
    const { status, reason } = result
    const isCounted = statuses.includes(status) && (status !== 'rejected' || dropReasons.includes(reason as DropReason))
    return isCounted ? (result as unknown as ExportResult) : undefined
  } catch {
    return undefined
  }
}

/** Returns a checked copy of the member `refused`. Throws a TypeError if it is invalid. */
function refusedOf(value: unknown): RejectedRecords[] {
  if (!Array.isArray(value)) throw new TypeError('refused is not an array')
  return value.map((part: RejectedRecords) => {
    const records = member(part, 'records')!
    const reason = member(part, 'reason')!
    if (!dropReasons.includes(reason) || !(records >= 0)) throw new TypeError('invalid item of refused')
    return { records, reason }
  })
}

/**
 * Counts the outcome of each record of a batch once.
 *
 * @param leftover - drop reason of the records that could be retried
 * @param wasExported - whether the batch was handed to the exporter
 * @returns the number of records that were not written
 */
export function countOutcome(
  buffer: BatchBuffer,
  result: ExportResult,
  leftover: DropReason,
  wasExported = true,
): number {
  const { count } = buffer
  const settled = result.status === 'accepted' ? count : clampCount(count, result.accepted)
  const refused = result.refused ?? []
  const written = clampCount(
    settled,
    refused.reduce((left, { records }) => left - records, settled),
  )
  if (result.maybeDuplicated !== undefined) {
    buffer.eachOwnerRun(0, clampCount(count, result.maybeDuplicated), ({ counters }, records) => {
      counters.maybeDuplicated += records
    })
  }
  buffer.eachOwnerRun(0, written, (owner, records) => {
    owner.counters.written += records
    owner.counters.queued -= records
    owner.onLeft?.(true)
  })
  if (written === count) return 0
  // The refused records are not identified, so the last accepted ones count as refused.
  let at = written
  for (const { records, reason } of refused) at = drop(buffer, at, Math.min(at + records, settled), reason, wasExported)
  if (result.status === 'unknown') {
    buffer.eachOwnerRun(settled, count, (owner, records) => {
      owner.counters.unknown += records
      owner.counters.queued -= records
      owner.onLeft?.(true)
    })
  } else {
    drop(buffer, settled, count, result.status === 'rejected' ? result.reason : leftover, wasExported)
  }
  return count - written
}

function drop(buffer: BatchBuffer, from: number, to: number, reason: DropReason, wasExported: boolean): number {
  const index = dropReasons.indexOf(reason)
  buffer.each(from, to, (owner, severity) => {
    owner.counters.queued--
    owner.counters.drop(reason, severity)
    if (wasExported) owner.counters.failedByReason[index]!++
    owner.onLeft?.(false)
  })
  return to
}

/** Limits a record count of an exporter, which can be any value, to the range from 0 to `max`. */
function clampCount(max: number, records: number): number {
  return Math.max(0, Math.min(max, Math.floor(records) || 0))
}
