import type { HttpVariant } from '../methods/http/variant.ts'
import { pairedLoad } from './http-fastify.ts'
import type { Scenario } from './scenario.ts'

const variant = (service: HttpVariant['service']): HttpVariant => ({
  ...pairedLoad,
  service,
  subjects: ['sluice-default', 'pino-sync', 'pino-buffered'],
})

/** Fastify creates the child loggers itself; with express and NestJS, a middleware does. */
export const httpChild: Scenario = {
  description:
    'A server that creates a child logger for each request and logs two records to a file: loggerInstance of fastify, and middleware of express and NestJS',
  method: 'http',
  runs: 7,
  figures: ['cpuAbove', 'cpuRequest', 'cpuNone', 'requests', 'latency50', 'latency99', 'busy'],
  compared: ['cpuAbove', 'cpuRequest'],
  ours: 'sluice-default',
  targets: [{ variants: ['fastify', 'express', 'nest'], figures: ['cpuAbove'], rival: 'pino-sync', limit: 0.6 }],
  variants: {
    fastify: variant('fastify-child'),
    express: variant('express-child'),
    nest: variant('nest-child'),
  },
}
