import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import { laps, perLap, warmUpLaps } from './allocation-laps.ts'
import type { MemoryVariant } from './variant.ts'

/** The variant that a job asks for, with as many records as the job wants. */
export function memoryOf(job: Job): MemoryVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'memory') throw new Error(`${job.scenario} does not ask for memory`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}

/** The job of the process that counts what the calls allocate. */
export const allocationJobOf = (job: Job): Job => ({ ...job, records: (warmUpLaps + laps) * perLap })
