import type { OnProblem } from '../../record/problems.ts'
import type { SinkEvents } from './sink.ts'

/** Who writes to each descriptor or file: they have one queue, and each of them hears when it cannot be written. */
const byPlace = new Map<number | string, Set<SinkEvents>>()

/** What the original reports as an event `error`. */
const failures = new Set(['SLUICE_WRITE_FAILED', 'SLUICE_PATH_UNTRUSTED'])

/** One of those who write to a place. */
export interface Share {
  readonly tell: OnProblem
  /** Returns whether nobody is left. */
  leave(): boolean
}

export function joinPlace(place: number | string, events: SinkEvents): Share {
  const all = byPlace.get(place) ?? new Set()
  byPlace.set(place, all.add(events))
  return {
    tell(problem) {
      if (!failures.has(problem.code)) return events.tell(problem)
      for (const each of all) each.failed(Object.assign(new Error(problem.message), problem))
    },
    leave() {
      all.delete(events)
      if (all.size > 0) return false
      byPlace.delete(place)
      return true
    },
  }
}
