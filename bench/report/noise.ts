import type { Run } from '../methods/method.ts'
import type { Group } from './group.ts'

/** A run is disturbed when the calibration work takes longer than this, in terms of its best time. */
const tolerated = 1.15

/** How quiet the machine was: the best time of the calibration work is that of a quiet moment. */
export interface Noise {
  readonly runs: number
  readonly disturbed: number
  /** The longest time divided by the best. */
  readonly worst: number
}

export function noiseOf(groups: readonly Group[], best = bestOf(groups)): Noise {
  const slowdowns = runsOf(groups).map(({ calibration }) => calibration / best)
  const disturbed = slowdowns.filter((slowdown) => slowdown > tolerated).length
  return { runs: slowdowns.length, disturbed, worst: Math.max(...slowdowns) }
}

/** Of all groups, because those of a disturbed hour have no quiet moment. */
export const bestOf = (groups: readonly Group[]): number =>
  Math.min(...runsOf(groups).map(({ calibration }) => calibration))

/** Figures of disturbed runs are unreliable. */
export const isNoisy = ({ runs, disturbed }: Noise): boolean => disturbed > runs / 4

const runsOf = (groups: readonly Group[]): Run[] =>
  groups.flatMap(({ results }) => results.flatMap(({ runs }) => runs)).filter(({ calibration }) => calibration > 0)
