import type { BatchBuffer } from './batch-buffer.ts'
import type { ExportResult, RejectedRecords } from './exporter.ts'
import { member } from '../options/own-members.ts'
import { dropReasons, type DropReason } from './counters.ts'

const statuses: readonly unknown[] = ['accepted', 'retryable', 'rejected', 'unknown']

type Answer = { readonly [name in (typeof members)[number]]?: unknown }
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
 * An exporter's answer as it can be counted, each member read once; undefined where it is none. Exporters are written by users,
 * in JavaScript too.
 */
export function resultOf(answer: unknown): ExportResult | undefined {
  try {
    const given = answer as Answer
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

/** Throws where it is no list of parts. */
function refusedOf(value: unknown): RejectedRecords[] {
  if (!Array.isArray(value)) throw new TypeError('no list')
  return value.map((part: RejectedRecords) => {
    const records = member(part, 'records')!
    const reason = member(part, 'reason')!
    if (!dropReasons.includes(reason) || !(records >= 0)) throw new TypeError('no part')
    return { records, reason }
  })
}

/**
 * Counts what became of a batch's records, each once. `leftover` names what those are dropped for that could be given
 * again. `wasExported`: the exporter had the batch.
 *
 * @returns how many were not taken.
 */
export function countOutcome(
  buffer: BatchBuffer,
  result: ExportResult,
  leftover: DropReason,
  wasExported = true,
): number {
  const { count } = buffer
  const settled = result.status === 'accepted' ? count : within(count, result.accepted)
  const refused = result.refused ?? []
  const written = within(
    settled,
    refused.reduce((left, { records }) => left - records, settled),
  )
  if (result.maybeDuplicated !== undefined) {
    buffer.eachOrigin(0, within(count, result.maybeDuplicated), ({ counters }, records) => {
      counters.maybeDuplicated += records
    })
  }
  buffer.eachOrigin(0, written, (owner, records) => {
    owner.counters.written += records
    owner.counters.queued -= records
    owner.onLeft?.(true)
  })
  if (written === count) return 0
  // Which ones were refused is not known: they are counted as the last ones.
  let at = written
  for (const { records, reason } of refused) at = drop(buffer, at, Math.min(at + records, settled), reason, wasExported)
  if (result.status === 'unknown') {
    buffer.eachOrigin(settled, count, (owner, records) => {
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
    if (wasExported) owner.counters.notTakenByReason[index]!++
    owner.onLeft?.(false)
  })
  return to
}

/** What an exporter says of numbers may be anything. */
function within(most: number, records: number): number {
  return Math.max(0, Math.min(most, Math.floor(records) || 0))
}
