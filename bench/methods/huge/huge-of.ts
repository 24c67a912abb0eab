import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { HugeVariant } from './variant.ts'

/** Returns the variant of a job. */
export function hugeOf(job: Job): HugeVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'huge') throw new Error(`${job.scenario} does not use the method huge`)
  return scenario.variants[job.variant]!
}
