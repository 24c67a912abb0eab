import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { SinkEvents } from './sink.ts'
import { addMembers } from '../../../options/define-member.ts'

/**
 * The destinations that write to each descriptor or file. They share one queue, and each is notified when a write fails. The references
 * are weak, so that a destination dropped without `end()` is garbage collected.
 */
const byPathOrFd = new Map<number | string, Set<WeakRef<SinkEvents>>>()

/** Codes of diagnostics that pino reports as an `error` event. */
const failures = new Set(['SLUICE_WRITE_FAILED', 'SLUICE_PATH_UNTRUSTED'])

/** The membership of one destination in a shared descriptor or file. */
export interface SharedMembership {
  readonly reportDiagnostic: OnDiagnostic
  /** Leaves, and returns whether no other destination is left. */
  leave(): boolean
}

/** Registers a destination. `fallback` reports diagnostics of a destination that was dropped. */
export function joinShared(pathOrFd: number | string, given: SinkEvents, fallback: OnDiagnostic): SharedMembership {
  const all = byPathOrFd.get(pathOrFd) ?? new Set()
  const events = new WeakRef(given)
  byPathOrFd.set(pathOrFd, all.add(events))
  const leave = (): boolean => {
    all.delete(events)
    if (all.size > 0) return false
    if (byPathOrFd.get(pathOrFd) === all) byPathOrFd.delete(pathOrFd)
    return true
  }
  whenCollected(given, leave)
  return {
    leave,
    reportDiagnostic(problem) {
      if (!failures.has(problem.code)) return (events.deref()?.reportDiagnostic ?? fallback)(problem)
      for (const each of all) each.deref()?.failed(addMembers(new Error(problem.message), problem))
    },
  }
}
