import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import { laps, perLap, warmUpLaps } from './allocation-laps.ts'
import type { MemoryVariant } from './variant.ts'

/** Returns the variant of a job with its number of records. */
export function memoryOf(job: Job): MemoryVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'memory') throw new Error(`${job.scenario} does not use the method memory`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}

/** Returns the job of the process that counts allocations. */
export const allocationJobOf = (job: Job): Job => ({ ...job, records: (warmUpLaps + laps) * perLap })
