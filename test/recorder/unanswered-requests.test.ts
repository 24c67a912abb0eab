import { afterEach, describe, expect, test } from '@jest/globals'
import fastify from 'fastify'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { requestLog as fastifyRequestLog } from '../../src/entries/fastify.ts'
import { requestLog } from '../../src/entries/node.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { ManualTime, timedLogger } from '../support/recorder/timed-logger.ts'

/** A server without routes other than `/slow`, which logs a debug record and never responds. */
interface TestServer {
  readonly port: number
  close(): Promise<unknown>
}

const servers: Readonly<Record<string, (log: RootLogger) => Promise<TestServer>>> = {
  'node:http': async (log) => {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      log.debug('handle {path}', { path: request.url })
      if (request.url !== '/slow') response.writeHead(404).end()
    })
    requestLog({ logger: log, message: 'request {url.path}' }).wrap(server)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return {
      port: (server.address() as AddressInfo).port,
      close: () => new Promise((resolve) => void server.close(resolve)),
    }
  },
  fastify: async (log) => {
    const app = fastify()
    await app.register(fastifyRequestLog({ logger: log, message: 'request {url.path}' }))
    app.addHook('onRequest', async ({ url }) => log.debug('handle {path}', { path: url }))
    app.get('/slow', () => new Promise(() => {}))
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
  },
}

const closeFunctions: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closeFunctions.splice(0)) await close()
})

/** Starts a server, and sends one request. Resolves once its debug record is held. */
async function request(name: string, path: string, recorder: object) {
  const timed = timedLogger({ recorder: { by: 'request', ...recorder } }, new ManualTime())
  const server = await servers[name]!(timed.log)
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  closeFunctions.push(() => (socket.destroy(), server.close()))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
  await until(() => timed.counts().emitted > 0)
  return { ...timed, socket }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setTimeout(resolve, 1))
}

describe.each(Object.keys(servers))('requests without a regular response, with %s', (name) => {
  test('a request that no route handles ends with status 404, and its records are discarded', async () => {
    const { exporter, messages, counts } = await request(name, '/missing', {})
    await until(() => messages().length > 0)
    expect(exporter.records).toMatchObject([{ level: 'info', attributes: { 'http.response.status_code': 404 } }])
    expect(counts()).toMatchObject({ recorded: 0, released: 0, expired: 1 })
  })

  test('a request whose client disconnects ends, and its records are discarded, because its level is warn', async () => {
    const { exporter, messages, counts, socket } = await request(name, '/slow', {})
    socket.destroy()
    await until(() => messages().length > 0)
    expect(exporter.records).toMatchObject([{ level: 'warn', attributes: { 'error.type': 'aborted' } }])
    expect(counts()).toMatchObject({ recorded: 0, released: 0, expired: 1 })
  })

  test('with trigger: warn, the records of a request whose client disconnects are released', async () => {
    const { messages, counts, socket } = await request(name, '/slow', { trigger: 'warn' })
    socket.destroy()
    await until(() => messages().length > 1)
    expect(messages()).toEqual(['handle /slow', 'request /slow'])
    expect(counts()).toMatchObject({ recorded: 0, released: 1, expired: 0 })
  })

  test('a request that never gets a response holds its records for maxAgeMillis only', async () => {
    const { messages, counts, time } = await request(name, '/slow', { maxAgeMillis: 100 })
    time.advance(99)
    expect(counts()).toMatchObject({ recorded: 1 })
    time.advance(1)
    expect(counts()).toMatchObject({ recorded: 0, expired: 1 })
    expect(messages()).toEqual([])
    expect(time.timerCount).toBe(0)
  })
})
