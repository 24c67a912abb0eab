import type { Job, Run } from '../method.ts'
import { burstOf } from './burst-of.ts'
import type { LinearityCheck } from './variant.ts'

/** A size and the CPU time of a call with it. */
interface Point {
  readonly size: number
  readonly cpu: number
}

/**
 * Adds the linearity to a run: the cost per unit of size up to this size, divided by that up to the middle size. The other sizes are
 * measured directly afterwards, under the same conditions.
 */
export async function addBend(
  job: Job,
  run: Run,
  { middle, smallest }: LinearityCheck,
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

/** Returns the cost of one call, or of one unit of size if a smallest size is subtracted. */
const costTo = ({ size, cpu }: Point, least: Point | undefined): number =>
  least === undefined ? cpu : (cpu - least.cpu) / (size - least.size)

const pointOf = (job: Job, { figures }: Run): Point => ({ size: burstOf(job).size!, cpu: figures.cpu! })
