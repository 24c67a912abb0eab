import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { PacedVariant } from './variant.ts'

/** Returns the variant of a job with its number of records. */
export function pacedOf(job: Job): PacedVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'paced') throw new Error(`${job.scenario} does not use the method paced`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}
