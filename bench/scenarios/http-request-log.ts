import type { HttpVariant } from '../methods/http/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import { pairedLoad } from './http-fastify.ts'
import type { Scenario, Target } from './scenario.ts'

const variant = (service: HttpVariant['service'], ...further: readonly SubjectName[]): HttpVariant => ({
  ...pairedLoad,
  service,
  subjects: ['sluice-http', 'pino-http', 'pino-http-buffered', ...further],
})

const against = (rival: SubjectName, ...variants: readonly string[]): Target => ({
  variants,
  figures: ['cpuAbove'],
  rival,
  limit: 0.6,
})

/**
 * Next.js is not measured, because it needs a separate build, and `instrumentation` of `sluice/next` wraps its server with
 * `requestLog` of `sluice/node`.
 */
export const httpRequestLog: Scenario = {
  description:
    'requestLog of each framework compared with the usual request loggers, to a file; two records per request with fastify and hono, one with the others',
  method: 'http',
  runs: 7,
  figures: ['cpuAbove', 'cpuRequest', 'cpuNone', 'requests', 'latency50', 'latency99', 'busy'],
  compared: ['cpuAbove', 'cpuRequest'],
  ours: 'sluice-http',
  targets: [
    against('pino-http', 'node', 'express', 'fastify', 'koa', 'nest'),
    against('morgan', 'express'),
    against('hono-logger', 'hono'),
    { ...against('pino-http', 'fastify'), subject: 'sluice-http-end' },
    { ...against('hono-logger', 'hono'), subject: 'sluice-http-end' },
  ],
  variants: {
    node: variant('node-request-log'),
    express: variant('express-request-log', 'morgan'),
    fastify: variant('fastify-request-log', 'sluice-http-end'),
    koa: variant('koa-request-log'),
    hono: variant('hono-request-log', 'sluice-http-end', 'hono-logger'),
    nest: variant('nest-request-log'),
  },
}
