import { afterEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pinoHttp, type Options } from 'pino-http'
import type { Logger } from '../../src/entries/index.ts'
import { captureLogs } from '../../src/entries/testing.ts'

const closers: (() => unknown)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** Requests paths from a server with pino-http. The cast is needed because pino-http's types accept only pino loggers. */
async function serve(logger: Logger, options: Options, ...paths: string[]): Promise<void> {
  const middleware = pinoHttp({ ...options, logger: logger as never })
  const server = createServer((request, response) => {
    middleware(request, response)
    ;(request.log as unknown as Logger).info({ order: 17 }, 'inside')
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end('ok')
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const path of paths) await (await fetch(url + path, { headers: { authorization: 'Bearer canary' } })).text()
}

describe('a sluice logger as the logger of pino-http 11', () => {
  test('pino-http logs with its serializers, redacted credentials, and errors as exceptions', async () => {
    using logs = captureLogs()
    await serve(logs.logger, {}, '/orders', '/broken')
    const first = { id: 1, method: 'GET', url: '/orders', headers: { authorization: '[REDACTED]' } }
    const second = { ...first, id: 2, url: '/broken' }
    expect(logs.records).toMatchObject([
      { message: 'inside', attributes: { order: 17, req: first } },
      { message: 'request completed', attributes: { req: first, res: { statusCode: 200 } } },
      { message: 'inside', attributes: { req: second } },
      {
        message: 'request errored',
        error: { type: 'Error', message: 'failed with status code 500' },
        attributes: { req: second, res: { statusCode: 500 } },
      },
    ])
    expect(logs.records[1]!.attributes).toMatchObject({ responseTime: expect.any(Number) })
  })

  test('the options of pino-http work as with a pino logger', async () => {
    using logs = captureLogs({ levels: { notice: 10 } })
    await serve(
      logs.logger,
      {
        customReceivedMessage: ({ url }) => `received ${url}`,
        customReceivedObject: () => ({ received: true }),
        customSuccessMessage: ({ url }) => `done ${url}`,
        customSuccessObject: (_request, _response, { responseTime }) => ({ responseTime }),
        customErrorMessage: ({ url }, _response, { message }) => `${url}: ${message}`,
        customErrorObject: (_request, _response, error, _fields) => ({ problem: error.message }),
        customLogLevel: (_request, { statusCode }) => (statusCode === 500 ? 'error' : ('notice' as 'info')),
        customAttributeKeys: { reqId: 'requestId' },
        genReqId: ({ url }) => `id of ${url}`,
        quietReqLogger: true,
        serializers: { order: (order: unknown) => `no. ${String(order)}` },
        level: 'debug',
      },
      '/orders',
      '/broken',
    )
    const problem = 'failed with status code 500'
    expect(logs.records).toMatchObject([
      { level: 'notice', message: 'received /orders', attributes: { received: true, requestId: 'id of /orders' } },
      { level: 'info', message: 'inside', attributes: { order: 'no. 17', requestId: 'id of /orders' } },
      { level: 'notice', message: 'done /orders', attributes: { responseTime: expect.any(Number) } },
      { level: 'notice', message: 'received /broken' },
      { level: 'info', message: 'inside' },
      { level: 'error', message: `/broken: ${problem}`, attributes: { problem } },
    ])
  })

  test('a custom `err` serializer is applied', async () => {
    using logs = captureLogs()
    await serve(logs.logger, { serializers: { err: ({ message }: Error) => `own ${message}` } }, '/broken')
    expect(logs.find('request errored')!.attributes).toMatchObject({ err: 'own failed with status code 500' })
  })

  test('serializers of pino-http take precedence over those of the logger, as with pino', async () => {
    const serializers = { req: () => 'own', res: () => 'own', order: () => 'own' }
    using logs = captureLogs({ serializers })
    await serve(logs.logger, { serializers: { req: () => 'given', order: () => 'given' } }, '/orders')
    expect(logs.find('inside')!.attributes).toMatchObject({ req: 'given', order: 'given' })
    expect(logs.find('request completed')!.attributes).toMatchObject({ req: 'given', res: { statusCode: 200 } })
  })

  test('attributes from `customProps` are logged once, with their values at the end of the request', async () => {
    using logs = captureLogs()
    await serve(
      logs.logger,
      { customProps: (_request, { statusCode, writableEnded }) => ({ shop: 7, ended: writableEnded, statusCode }) },
      '/broken',
    )
    expect(logs.find('inside')!.attributes).toMatchObject({ shop: 7, ended: false, statusCode: 200 })
    expect(logs.find('request errored')!.attributes).toMatchObject({ shop: 7, ended: true, statusCode: 500 })
  })

  test('pinoHttp throws for an option that child loggers of sluice do not support', async () => {
    using logs = captureLogs()
    expect(() => pinoHttp({ logger: logs.logger as never, formatters: {} })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: 'formatters' })] }),
    )
  })

  test('other child loggers do not have members of pino', () => {
    using logs = captureLogs()
    const child = logs.logger.child({}, { level: 'debug' })
    expect(child).not.toHaveProperty('levels')
    expect(Object.getPrototypeOf(Object.getPrototypeOf(child))).toBe(Object.prototype)
  })
})
