import type { Run } from '../methods/method.ts'
import type { Group } from './group.ts'

/** A run is disturbed if its calibration work takes more than this multiple of the best time. */
const tolerated = 1.15

/** How quiet the machine was. The best time of the calibration work is assumed to be undisturbed. */
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

/** Returns the best time in all groups, because a single group can be disturbed as a whole. */
export const bestOf = (groups: readonly Group[]): number =>
  Math.min(...runsOf(groups).map(({ calibration }) => calibration))

/** Returns whether so many runs were disturbed that the figures are unreliable. */
export const isNoisy = ({ runs, disturbed }: Noise): boolean => disturbed > runs / 4

const runsOf = (groups: readonly Group[]): Run[] =>
  groups.flatMap(({ results }) => results.flatMap(({ runs }) => runs)).filter(({ calibration }) => calibration > 0)
