import type { Chunk } from './chunk.ts'
import type { ExportResult } from './exporter.ts'
import { dropReasons, type DropReason } from './ledger.ts'

const statuses: readonly unknown[] = ['accepted', 'retryable', 'rejected', 'unknown']

/** Whether an exporter's answer can be counted. Exporters are written by users, in JavaScript too. */
export function isResult(answer: unknown): answer is ExportResult {
  try {
    const { status, reason } = answer as { readonly status?: unknown; readonly reason?: DropReason }
    return statuses.includes(status) && (status !== 'rejected' || dropReasons.includes(reason!))
  } catch {
    return false
  }
}

/**
 * Counts what became of a batch's records, each once. `leftover` names what those are dropped for that could be given
 * again.
 *
 * @returns how many were not taken.
 */
export function countOutcome(chunk: Chunk, result: ExportResult, leftover: DropReason): number {
  const { count } = chunk
  const taken = result.status === 'accepted' ? count : Math.max(0, Math.min(count, Math.floor(result.accepted) || 0))
  chunk.eachOrigin(0, taken, (origin, records) => {
    origin.account.written += records
    origin.account.queued -= records
    origin.left?.(true)
  })
  if (taken === count) return 0
  if (result.status === 'unknown') {
    chunk.eachOrigin(taken, count, (origin, records) => {
      origin.account.unknown += records
      origin.account.queued -= records
      origin.left?.(true)
    })
  } else {
    const reason = result.status === 'rejected' ? result.reason : leftover
    chunk.each(taken, count, (origin, severity) => {
      origin.account.queued--
      origin.account.drop(reason, severity)
      origin.left?.(false)
    })
  }
  return count - taken
}
