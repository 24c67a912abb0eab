import type { HttpVariant } from '../methods/http/variant.ts'
import type { Scenario, Target } from './scenario.ts'

/** As many connections as keep the server busy, and each waits for its answer. */
export const requestsLoad = { connections: 50, warmUpSeconds: 1, seconds: 2 } as const

/** The CPU time of logging is a small difference of two large figures: their laps are next to each other. */
export const pairedLoad = { ...requestsLoad, pairs: { count: 10, requests: 4_000 } } as const

/** Of the requests without logging, by two bare records and by the middleware that ships. */
export const requestTargets = (limit: number): readonly Target[] => {
  const target: Target = { variants: ['file'], figures: ['requests'], rival: 'none', limit, atLeast: true }
  return [target, { ...target, subject: 'sluice-http' }]
}

const file: HttpVariant = {
  ...requestsLoad,
  service: 'fastify',
  subjects: ['sluice-default', 'sluice-http', 'none', 'concatenation', 'pino-sync', 'pino-http'],
  more: ['pino-async', 'winston', 'bunyan', 'console', 'sdk-logs'],
}

export const httpFastify: Scenario = {
  question: 'A fastify server that logs two records a request to a file; its hooks are there without logging as well',
  method: 'http',
  // Both processors are busy, so that everything else on the machine is in the figures.
  runs: 9,
  figures: ['requests', 'latency50', 'latency99', 'cpuRequest', 'busy', 'leftover'],
  compared: ['requests', 'cpuRequest'],
  ours: 'sluice-default',
  targets: requestTargets(0.92),
  variants: { file },
}
