import type { Host } from '../host.ts'
import { expressHost } from './express.ts'
import { fastifyHost } from './fastify.ts'
import { fetchHandler } from './fetch.ts'
import { hono, honoOfFetch } from './hono.ts'
import { koa, koa2 } from './koa.ts'
import { nest } from './nest.ts'
import { node, nodeWrapped } from './node.ts'

export const hosts: readonly Host[] = [
  node,
  nodeWrapped,
  expressHost,
  fastifyHost,
  koa,
  koa2,
  hono,
  honoOfFetch,
  nest,
  fetchHandler,
]
