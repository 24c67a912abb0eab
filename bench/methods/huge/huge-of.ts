import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { HugeVariant } from './variant.ts'

/** The variant that a job asks for. */
export function hugeOf(job: Job): HugeVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'huge') throw new Error(`${job.scenario} logs nothing huge`)
  return scenario.variants[job.variant]!
}
