import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job } from '../method.ts'
import type { EncodeVariant } from './variant.ts'

/** The variant that a job asks for, with as many records as the job wants. */
export function encodeOf(job: Job): EncodeVariant {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'encode') throw new Error(`${job.scenario} encodes no requests`)
  const variant = scenario.variants[job.variant]!
  return job.records === undefined ? variant : { ...variant, records: job.records }
}
