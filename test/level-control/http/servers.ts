import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import type { LevelsHandler } from '../../../src/level-control/http/levels-handler.ts'

/** A server on which a levels handler is mounted at `/levels`. */
export interface LevelsServer {
  /** The address of the handler. */
  readonly url: string
  close(): Promise<void>
}

/** A kind of server. */
export interface ServerKind {
  readonly name: string
  /** Whether the handler receives the address of the client. */
  readonly hasAddress: boolean
  start(levels: LevelsHandler): Promise<LevelsServer>
}

/** Each kind of server whose requests the handler accepts. */
export const serverKinds: readonly ServerKind[] = [
  { name: 'node:http', hasAddress: true, start: (levels) => listening(createServer(levels)) },
  { name: 'express', hasAddress: true, start: (levels) => listening(createServer(express().use('/levels', levels))) },
  {
    name: 'express with body parsers',
    hasAddress: true,
    start: (levels) => listening(createServer(express().use(express.json(), express.text()).all('/levels', levels))),
  },
  {
    name: 'fastify',
    hasAddress: true,
    async start(levels) {
      const app = fastify({ forceCloseConnections: true })
      app.all('/levels', levels)
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      return { url: `${url}/levels`, close: () => app.close() }
    },
  },
  { name: 'hono on node', hasAddress: true, start: (levels) => startHono(new Hono().all('/levels', levels)) },
  {
    name: 'hono after a handler that read the body',
    hasAddress: true,
    start(levels) {
      const app = new Hono().use(async (context, next) => {
        await context.req.text()
        await next()
      })
      return startHono(app.all('/levels', levels))
    },
  },
  {
    name: 'koa',
    hasAddress: true,
    start(levels) {
      const app = new Koa()
      app.use(levels)
      return listening(createServer((request, response) => void app.callback()(request, response)))
    },
  },
  {
    name: 'a Fetch API handler',
    hasAddress: false,
    start: (levels) => startHono({ fetch: (request) => levels(request) }),
  },
]

/** Starts a server of `node:http`. */
export function startNode(listener: RequestListener): Promise<LevelsServer> {
  return listening(createServer(listener))
}

/** Starts an HTTP/2 server without TLS. */
export function startHttp2(levels: LevelsHandler): Promise<LevelsServer> {
  return listening(createHttp2Server((request, response) => void levels(request, response)))
}

function startHono(app: { fetch(request: Request, env: object): Response | Promise<Response> }): Promise<LevelsServer> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      resolve({ url: `http://127.0.0.1:${port}/levels`, close: () => closing(server) })
    })
  })
}

async function listening(server: Server): Promise<LevelsServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/levels`, close: () => closing(server) }
}

function closing(server: Server & { closeAllConnections?(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections?.()
  })
}
