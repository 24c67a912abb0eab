import type { Chunk } from './chunk.ts'
import type { ExportResult, Refused } from './exporter.ts'
import { member } from '../options/own-members.ts'
import { dropReasons, type DropReason } from './ledger.ts'

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
function refusedOf(value: unknown): Refused[] {
  if (!Array.isArray(value)) throw new TypeError('no list')
  return value.map((part: Refused) => {
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
export function countOutcome(chunk: Chunk, result: ExportResult, leftover: DropReason, wasExported = true): number {
  const { count } = chunk
  const settled = result.status === 'accepted' ? count : within(count, result.accepted)
  const refused = result.refused ?? []
  const written = within(
    settled,
    refused.reduce((left, { records }) => left - records, settled),
  )
  if (result.maybeDuplicated !== undefined) {
    chunk.eachOrigin(0, within(count, result.maybeDuplicated), ({ account }, records) => {
      account.maybeDuplicated += records
    })
  }
  chunk.eachOrigin(0, written, (origin, records) => {
    origin.account.written += records
    origin.account.queued -= records
    origin.left?.(true)
  })
  if (written === count) return 0
  // Which ones were refused is not known: they are counted as the last ones.
  let at = written
  for (const { records, reason } of refused) at = drop(chunk, at, Math.min(at + records, settled), reason, wasExported)
  if (result.status === 'unknown') {
    chunk.eachOrigin(settled, count, (origin, records) => {
      origin.account.unknown += records
      origin.account.queued -= records
      origin.left?.(true)
    })
  } else {
    drop(chunk, settled, count, result.status === 'rejected' ? result.reason : leftover, wasExported)
  }
  return count - written
}

function drop(chunk: Chunk, from: number, to: number, reason: DropReason, wasExported: boolean): number {
  const index = dropReasons.indexOf(reason)
  chunk.each(from, to, (origin, severity) => {
    origin.account.queued--
    origin.account.drop(reason, severity)
    if (wasExported) origin.account.notTakenByReason[index]!++
    origin.left?.(false)
  })
  return to
}

/** What an exporter says of numbers may be anything. */
function within(most: number, records: number): number {
  return Math.max(0, Math.min(most, Math.floor(records) || 0))
}
