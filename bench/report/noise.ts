import type { Run } from '../methods/method.ts'
import type { Group } from './group.ts'

/** How much longer than at best the fixed piece of work may take before a run counts as disturbed. */
const tolerated = 1.15

/** How the machine was: its best time for the fixed piece of work is that of a quiet moment. */
export interface Noise {
  readonly runs: number
  readonly disturbed: number
  /** The longest time over the best. */
  readonly worst: number
}

export function noiseOf(groups: readonly Group[], best = bestOf(groups)): Noise {
  const slowdowns = runsOf(groups).map(({ calibration }) => calibration / best)
  const disturbed = slowdowns.filter((slowdown) => slowdown > tolerated).length
  return { runs: slowdowns.length, disturbed, worst: Math.max(...slowdowns) }
}

/** Of all groups: those of a disturbed hour have no good moment of their own. */
export const bestOf = (groups: readonly Group[]): number =>
  Math.min(...runsOf(groups).map(({ calibration }) => calibration))

/** A figure out of disturbed runs is a hint and no more. */
export const isNoisy = ({ runs, disturbed }: Noise): boolean => disturbed > runs / 4

const runsOf = (groups: readonly Group[]): Run[] =>
  groups.flatMap(({ results }) => results.flatMap(({ runs }) => runs)).filter(({ calibration }) => calibration > 0)
