import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { CountVariant } from './variant.ts'

/** Returns the variant of a job with its number of records. */
export function countOf(job: Job): CountVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'count') throw new Error(`${job.scenario} does not use the method count`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}

/** Returns the job of the traced run. */
export function tracedJobOf(job: Job): Job {
  const { records, tracedAtMost } = countOf(job)
  return { ...job, records: Math.min(records, tracedAtMost[job.subject] ?? Infinity) }
}
