import { httpFastify, requestsLoad, requestTargets } from './http-fastify.ts'
import type { HttpVariant } from '../methods/http/variant.ts'
import type { Scenario } from './scenario.ts'

const file: HttpVariant = {
  ...requestsLoad,
  service: 'express',
  subjects: ['sluice-default', 'sluice-http', 'none', 'concatenation', 'pino-sync', 'pino-http'],
  more: ['pino-async', 'winston', 'bunyan', 'console', 'sdk-logs'],
}

export const httpExpress: Scenario = {
  ...httpFastify,
  description:
    'An express server that logs two records per request to a file; its middleware also runs without logging',
  method: 'http',
  targets: requestTargets(0.95),
  variants: { file },
}
