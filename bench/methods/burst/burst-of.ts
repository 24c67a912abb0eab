import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { BurstVariant } from './variant.ts'

/** Returns the variant of a job with its number of records. */
export function burstOf(job: Job): BurstVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'burst') throw new Error(`${job.scenario} does not use the method burst`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}
