import { describe, expect, test } from '@jest/globals'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestLog } from '../../src/entries/node.ts'
import { createRequestLog } from '../../src/http/request-log.ts'
import type { RequestScope } from '../../src/http/request-scope.ts'
import { timedLogger } from '../support/recorder/timed-logger.ts'

const byRequest = { by: 'request' }

function setUp(options: object = {}) {
  const timed = timedLogger({ recorder: { ...byRequest, ...options } })
  const requests = createRequestLog({ logger: timed.log, message: 'request {url.path}' })
  return { ...timed, begin: (path: string) => requests.begin({ method: 'GET', url: path, header: () => undefined }) }
}

function end(scope: RequestScope, statusCode: number): void {
  scope.end({ statusCode, route: undefined, unfinished: undefined, header: () => undefined })
}

describe('records by request', () => {
  test('the record of a failed request releases what was logged while it was handled, in order and before it', () => {
    const { log, begin, exporter, counts } = setUp()
    const failed = begin('/failed')
    const succeeded = begin('/succeeded')
    failed.run(() => log.debug('failed 1'))
    succeeded.run(() => log.debug('succeeded 1'))
    failed.run(() => log.debug('failed 2'))
    expect(counts()).toMatchObject({ recorded: 3 })
    end(succeeded, 200)
    end(failed, 500)
    expect(exporter.records.map(({ message }) => message)).toEqual([
      'request /succeeded',
      'failed 1',
      'failed 2',
      'request /failed',
    ])
    expect(exporter.records[1]!.attributes).toMatchObject({ 'request.id': failed.id, 'sluice.recorded': true })
    expect(counts()).toMatchObject({ recorded: 0, released: 2, expired: 1 })
  })

  test('the end of a request frees what it holds, and no timer remains for long', () => {
    const { log, begin, counts, exporter } = setUp()
    const scope = begin('/')
    scope.run(() => {
      for (let i = 0; i < 50; i++) log.debug('held')
    })
    end(scope, 204)
    expect(counts()).toMatchObject({ recorded: 0, expired: 50 })
    expect(exporter.records).toHaveLength(1)
  })

  test('after an error, records of the request are written until it ends, however long that takes', () => {
    const { log, begin, messages, time } = setUp({ maxAgeMillis: 100 })
    const scope = begin('/')
    scope.run(() => log.error('failed'))
    time.advance(1_000)
    scope.run(() => log.debug('later'))
    expect(messages()).toEqual(['failed', 'later'])
    end(scope, 200)
    scope.run(() => log.debug('after the end'))
    expect(messages()).toEqual(['failed', 'later', 'request /'])
  })

  test('records after the end of a request have a key of their own, which ends although they continue', () => {
    const { log, begin, messages, time, counts } = setUp({ maxAgeMillis: 100 })
    const scope = begin('/')
    end(scope, 200)
    scope.run(() => {
      log.debug('background work')
      log.error('background work failed')
      time.advance(60)
      log.debug('written')
      time.advance(60)
      log.debug('held')
    })
    expect(messages().slice(1)).toEqual(['background work', 'background work failed', 'written'])
    time.advance(100)
    expect(counts()).toMatchObject({ recorded: 0, released: 1, expired: 1 })
  })

  test('records outside of a request are filtered', () => {
    const { log, messages, counts } = setUp()
    log.debug('outside')
    log.error('failed')
    expect(messages()).toEqual(['failed'])
    expect(counts()).toMatchObject({ filtered: 1, recorded: 0 })
  })

  test('the end of a request that is ignored frees what it holds', () => {
    const timed = timedLogger({ recorder: byRequest })
    const requests = createRequestLog({ logger: timed.log, ignore: ['/health'] })
    const scope = requests.begin({ method: 'GET', url: '/health', header: () => undefined })
    scope.run(() => timed.log.debug('held'))
    end(scope, 200)
    expect(timed.counts()).toMatchObject({ recorded: 0, expired: 1 })
  })

  test('a recorder whose logger was shut down holds nothing for later requests', async () => {
    const { log, begin, counts } = setUp()
    await log.shutdown()
    const scope = begin('/')
    scope.run(() => log.debug('after shutdown'))
    end(scope, 500)
    expect(counts()).toMatchObject({ recorded: 0, released: 0 })
  })
})

test('with a node:http server, only the debug records of failed requests are written', async () => {
  const { log, exporter, counts } = timedLogger({ recorder: byRequest })
  const handle = requestLog({ logger: log })
  const server = createServer((request, response) => {
    handle(request, response, () => {
      void (async () => {
        log.debug('start of {path}', { path: request.url })
        await new Promise((resolve) => void setTimeout(resolve, Math.random() * 5))
        log.debug('end of {path}', { path: request.url })
        response.statusCode = request.url!.startsWith('/fail') ? 500 : 200
        response.end()
      })()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const paths = Array.from({ length: 60 }, (_, index) => (index % 6 === 0 ? `/fail/${index}` : `/ok/${index}`))
  await Promise.all(paths.map((path) => requestTo(server, path)))
  await new Promise<void>((resolve) => void server.close(() => resolve()))
  const debug = exporter.records.filter(({ level }) => level === 'debug')
  expect(debug).toHaveLength(20)
  expect(debug.every(({ message }) => message!.includes('of /fail/'))).toBe(true)
  expect(counts()).toMatchObject({ recorded: 0, released: 20, expired: 100 })
})

function requestTo(server: Server, path: string): Promise<void> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().on('end', () => resolve())
    }).on('error', reject)
  })
}
