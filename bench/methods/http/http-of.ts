import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { HttpVariant } from './variant.ts'

/** The variant that a job asks for. */
export function httpOf(job: Job): HttpVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'http') throw new Error(`${job.scenario} is no server`)
  return scenario.variants[job.variant]!
}
