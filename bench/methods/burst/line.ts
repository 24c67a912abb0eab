import type { Job, Run } from '../method.ts'
import { burstOf } from './burst-of.ts'
import type { Line } from './variant.ts'

/** One size, and what a call costs there: CPU time, of which others on the machine take none. */
interface Point {
  readonly at: number
  readonly cpu: number
}

/**
 * Adds the bend to a run: what one unit of size costs up to here, over what it costs up to the middle; 1 is a straight
 * line. The other points are measured just after it, so that the machine is the same for all of them.
 */
export async function bendOf(
  job: Job,
  run: Run,
  { middle, smallest }: Line,
  measure: (job: Job) => Promise<Run>,
): Promise<Run> {
  const others = smallest === undefined ? [middle] : [middle, smallest]
  const runs = [run]
  for (const variant of others) runs.push(await measure({ ...job, variant }))
  const points = [job.variant, ...others].map((variant, index) => pointOf({ ...job, variant }, runs[index]!))
  const [here, mid, least] = points as [Point, Point, Point?]
  return {
    ...run,
    figures: { ...run.figures, bend: costTo(here, least) / costTo(mid, least) },
    calibration: Math.max(...runs.map(({ calibration }) => calibration)),
    problems: runs.flatMap(({ problems }) => problems),
  }
}

/** Of one call where no size is left out; else of one unit of size. */
const costTo = ({ at, cpu }: Point, least: Point | undefined): number =>
  least === undefined ? cpu : (cpu - least.cpu) / (at - least.at)

const pointOf = (job: Job, { figures }: Run): Point => ({ at: burstOf(job).at!, cpu: figures.cpu! })
