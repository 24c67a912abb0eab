import { describe, expect, test } from '@jest/globals'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { requestLog } from '../../src/entries/fastify.ts'
import { captureLogs, type Captured } from '../../src/entries/testing.ts'

/** Returns the records of one request in an application with a sluice logger as `loggerInstance`. */
async function logged(routes: (app: FastifyInstance) => void, path: string, logs: Captured) {
  const loggerInstance: FastifyBaseLogger = logs.logger
  const app = fastify({ loggerInstance })
  routes(app)
  await app.inject(path)
  await app.close()
  return logs.records
}

describe('a sluice logger as the `loggerInstance` of Fastify', () => {
  test("Fastify logs its own records through the sluice logger with Fastify's serializers", async () => {
    using logs = captureLogs({ level: 'info' })
    await logged(
      (app) =>
        app.get('/a', ({ log }) => {
          log.info({ order: 17 }, 'inside')
          return 'a'
        }),
      '/a',
      logs,
    )
    expect(logs.records.map(({ message }) => message)).toEqual(['incoming request', 'inside', 'request completed'])
    const [incoming, inside, completed] = logs.records
    expect(incoming!.attributes).toEqual({
      reqId: 'req-1',
      req: { method: 'GET', url: '/a', host: 'localhost:80', remoteAddress: '127.0.0.1' },
    })
    expect(inside!.attributes).toEqual({ reqId: 'req-1', order: 17 })
    expect(completed!.attributes).toEqual({
      reqId: 'req-1',
      res: { statusCode: 200 },
      responseTime: expect.any(Number),
    })
  })

  test('serializers of the logger take precedence over those of Fastify, as with pino', async () => {
    using logs = captureLogs({
      level: 'info',
      serializers: { req: (request) => `by ${(request as { method: string }).method}`, own: () => 'covered' },
    })
    await logged(
      (app) =>
        app.get('/a', ({ log }) => {
          log.info({ own: 17 }, 'inside')
          return 'a'
        }),
      '/a?token=secret',
      logs,
    )
    expect(logs.records.map(({ attributes }) => attributes)).toEqual([
      { reqId: 'req-1', req: 'by GET' },
      { reqId: 'req-1', own: 'covered' },
      { reqId: 'req-1', res: { statusCode: 200 }, responseTime: expect.any(Number) },
    ])
  })

  test('a route logs at its own `logLevel`', async () => {
    using logs = captureLogs({ level: 'info' })
    await logged((app) => app.get('/quiet', { logLevel: 'silent' }, handler), '/quiet', logs)
    expect(logs.records).toHaveLength(0)
    await logged((app) => app.get('/loud', { logLevel: 'debug' }, handler), '/loud', logs)
    expect(logs.at('debug')).toHaveLength(1)
  })

  test('a route uses the serializers of its plugin and its own', async () => {
    using logs = captureLogs({ level: 'info' })
    await logged(
      (app) =>
        void app.register(
          (plugin, _, done) => {
            plugin.get('/a', { logSerializers: { own: (value: unknown) => `own ${String(value)}` } }, ({ log }) => {
              log.info({ own: 1, outer: 2 }, 'inside')
              return ''
            })
            done()
          },
          { logSerializers: { outer: (value: unknown) => `outer ${String(value)}` } },
        ),
      '/a',
      logs,
    )
    expect(logs.find('inside')!.attributes).toMatchObject({ own: 'own 1', outer: 'outer 2' })
  })

  test('an error thrown by a handler is logged as an exception', async () => {
    using logs = captureLogs({ level: 'info' })
    await logged((app) => app.get('/a', () => Promise.reject(new RangeError('no such order'))), '/a', logs)
    expect(logs.at('error')).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ type: 'RangeError' }) }),
    ])
  })

  test('`childLoggerFactory` can create a child of the sluice logger', async () => {
    using logs = captureLogs({ level: 'info' })
    const app = fastify({
      loggerInstance: logs.logger,
      childLoggerFactory: (logger, bindings, options) => logger.child({ ...bindings, made: true }, options),
    })
    app.get('/a', ({ log }) => {
      log.info('inside')
      return ''
    })
    await app.inject('/a')
    await app.close()
    expect(logs.find('inside')!.attributes).toEqual({ reqId: 'req-1', made: true })
  })

  test('records of `loggerInstance` include the request attributes when the plugin is registered', async () => {
    using logs = captureLogs({ level: 'info' })
    const app = fastify({
      loggerInstance: logs.logger,
      logController: new LogController({ disableRequestLogging: true }),
    })
    await app.register(requestLog({ logger: logs.logger }))
    app.get('/orders/:id', ({ log }) => {
      log.info('inside')
      return ''
    })
    await app.inject('/orders/17')
    await app.close()
    const end = logs.find(/^GET \/orders\/:id 200 /)
    expect(end!.attributes).toMatchObject({ 'http.route': '/orders/:id', 'http.response.status_code': 200 })
    expect(logs.find('inside')!.attributes).toEqual({
      'request.id': end!.attributes['request.id'],
      'http.request.method': 'GET',
      'url.path': '/orders/17',
    })
  })
})

function handler({ log }: { log: FastifyBaseLogger }): string {
  log.debug('inside')
  return ''
}
