import { whenDropped } from '../../../lifecycle/dropped-loggers.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { SinkEvents } from './sink.ts'
import { addMembers } from '../../../options/define-member.ts'

/**
 * Who writes to each descriptor or file: they have one queue, and each of them is notified when it cannot be written. Held
 * weakly: a destination that is dropped without `end()` is garbage collected.
 */
const byPlace = new Map<number | string, Set<WeakRef<SinkEvents>>>()

/** What the original reports as an event `error`. */
const failures = new Set(['SLUICE_WRITE_FAILED', 'SLUICE_PATH_UNTRUSTED'])

/** One of those who write to a place. */
export interface Share {
  readonly reportDiagnostic: OnDiagnostic
  /** Returns whether nobody is left. */
  leave(): boolean
}

/** `fallback` reports what concerns a destination that was dropped. */
export function joinPlace(place: number | string, given: SinkEvents, fallback: OnDiagnostic): Share {
  const all = byPlace.get(place) ?? new Set()
  const events = new WeakRef(given)
  byPlace.set(place, all.add(events))
  const leave = (): boolean => {
    all.delete(events)
    if (all.size > 0) return false
    if (byPlace.get(place) === all) byPlace.delete(place)
    return true
  }
  whenDropped(given, leave)
  return {
    leave,
    reportDiagnostic(problem) {
      if (!failures.has(problem.code)) return (events.deref()?.reportDiagnostic ?? fallback)(problem)
      for (const each of all) each.deref()?.failed(addMembers(new Error(problem.message), problem))
    },
  }
}
