import type { HttpVariant } from '../methods/http/variant.ts'
import type { Scenario, Target } from './scenario.ts'

/** Enough connections to keep the server busy. Each waits for its response. */
export const requestsLoad = { connections: 50, warmUpSeconds: 1, seconds: 2 } as const

/** Alternating laps, because the CPU time of logging is a small difference between two large figures. */
export const pairedLoad = { ...requestsLoad, pairs: { count: 10, requests: 4_000 } } as const

/** Returns targets relative to requests without logging: for two plain records, and for `requestLog`. */
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
  description: 'A fastify server that logs two records per request to a file; its hooks also run without logging',
  method: 'http',
  // More runs, because both processors are busy and other processes affect the figures.
  runs: 9,
  figures: ['requests', 'latency50', 'latency99', 'cpuRequest', 'busy', 'leftover'],
  compared: ['requests', 'cpuRequest'],
  ours: 'sluice-default',
  targets: requestTargets(0.92),
  variants: { file },
}
