import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { HttpVariant } from './variant.ts'

/** Returns the variant of a job. */
export function httpOf(job: Job): HttpVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'http') throw new Error(`${job.scenario} does not use the method http`)
  return scenario.variants[job.variant]!
}
