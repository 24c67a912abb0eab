import { httpFastify, requestsLoad } from './http-fastify.ts'
import type { HttpVariant } from '../methods/http/variant.ts'
import type { Scenario } from './scenario.ts'

const file: HttpVariant = {
  ...requestsLoad,
  service: 'express',
  subjects: ['sluice-default', 'sluice-http', 'none', 'pino-sync'],
  more: ['pino-async', 'winston', 'bunyan', 'console', 'sdk-logs'],
  fullOnly: true,
}

export const httpExpress: Scenario = {
  ...httpFastify,
  question: 'The same server, by express',
  method: 'http',
  targets: [{ variants: ['file'], figures: ['requests'], rival: 'none', limit: 0.95, atLeast: true }],
  variants: { file },
}
