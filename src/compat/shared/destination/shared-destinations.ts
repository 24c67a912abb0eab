import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { SinkEvents } from './sink.ts'
import { addMembers } from '../../../options/define-member.ts'

/**
 * The destination objects (`pino.destination()`) that write to each descriptor or file. They share one queue, and each is notified when a
 * write fails. The references are weak, so that a destination dropped without `end()` is garbage collected.
 */
const byPathOrFd = new Map<number | string, Set<WeakRef<SinkEvents>>>()

/** Codes of diagnostics for which destinations emit an `error` event, as those of pino do when a write fails. */
const errorEventCodes = new Set(['SLUICE_WRITE_FAILED', 'SLUICE_PATH_UNTRUSTED'])

/** The membership of one destination in a shared descriptor or file. */
export interface SharedMembership {
  /** Passes a diagnostic with one of the `errorEventCodes` to all members as an error, and any other to this member alone. */
  readonly reportDiagnostic: OnDiagnostic
  /** Ends the membership. Returns whether it was the last one. */
  leave(): boolean
}

/** Registers a destination. `fallback` reports its diagnostics after it was garbage collected. */
export function joinSharedDestination(
  pathOrFd: number | string,
  events: SinkEvents,
  fallback: OnDiagnostic,
): SharedMembership {
  const allMembers = byPathOrFd.get(pathOrFd) ?? new Set()
  const eventsRef = new WeakRef(events)
  byPathOrFd.set(pathOrFd, allMembers.add(eventsRef))
  const leave = (): boolean => {
    allMembers.delete(eventsRef)
    if (allMembers.size > 0) return false
    if (byPathOrFd.get(pathOrFd) === allMembers) byPathOrFd.delete(pathOrFd)
    return true
  }
  whenCollected(events, leave)
  return {
    leave,
    reportDiagnostic(diagnostic) {
      if (!errorEventCodes.has(diagnostic.code)) return (eventsRef.deref()?.reportDiagnostic ?? fallback)(diagnostic)
      for (const member of allMembers) member.deref()?.onError(addMembers(new Error(diagnostic.message), diagnostic))
    },
  }
}
