import { afterEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { pinoHttp } from 'pino-http'
import { pino, type Logger } from '../../../src/entries/pino.ts'
import { Lines } from './support.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('Fastify accepts a sluice/pino logger as `loggerInstance`', async () => {
  const kept = new Lines()
  const app = fastify({ loggerInstance: pino({ level: 'debug' }, kept) })
  closers.push(() => app.close())
  app.get('/users', ({ log }) => {
    log.info({ found: 2 }, 'looked up')
    return { ok: true }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await (await fetch(`${url}/users?q=1`)).text()
  const lines = kept.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toMatchObject([
    { msg: expect.stringContaining('Server listening') },
    { reqId: 'req-1', req: { method: 'GET', url: '/users?q=1' }, msg: 'incoming request' },
    { reqId: 'req-1', found: 2, msg: 'looked up' },
    { reqId: 'req-1', res: { statusCode: 200 }, responseTime: expect.any(Number), msg: 'request completed' },
  ])
})

test('pino-http accepts a sluice/pino logger and reads the internal pino symbols from it', async () => {
  const kept = new Lines()
  const middleware = pinoHttp({ logger: pino({}, kept), customProps: () => ({ service: 'shop' }) })
  const server: Server = createServer((request, response) => {
    middleware(request, response)
    ;(request as unknown as { log: Logger }).log.info('inside')
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end('ok')
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await (await fetch(url)).text()
  await (await fetch(`${url}/broken`)).text()
  const lines = kept.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toMatchObject([
    { level: 30, service: 'shop', req: { id: 1, method: 'GET', url: '/' }, msg: 'inside' },
    { level: 30, service: 'shop', res: { statusCode: 200 }, msg: 'request completed' },
    { service: 'shop', req: { id: 2 }, msg: 'inside' },
    { res: { statusCode: 500 }, err: { message: 'failed with status code 500' }, msg: 'request errored' },
  ])
})
