import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { PacedVariant } from './variant.ts'

/** The variant that a job asks for, with as many records as the job wants. */
export function pacedOf(job: Job): PacedVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'paced') throw new Error(`${job.scenario} has no pace`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}
