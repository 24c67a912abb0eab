import { describe, expect, test } from '@jest/globals'
import realPino from 'pino'
import { createLogger as createBunyanLogger } from '../../src/entries/bunyan.ts'
import { createRequestLog, currentRequestId } from '../../src/entries/http.ts'
import { pino } from '../../src/entries/pino.ts'
import { captureLogs, type Captured } from '../../src/entries/testing.ts'
import { createLogger as createWinstonLogger, sluiceTransport } from '../../src/entries/winston.ts'

const nowhere = { write() {} }

/** Runs `fn` in the scope of a request and returns the request id. */
function inRequest(logs: Captured, fn: () => void): string {
  const scope = createRequestLog({ logger: logs.logger }).begin({ method: 'GET', url: '/a', header: () => undefined })
  scope.run(fn)
  return scope.id
}

describe.each([
  ['pino', realPino],
  ['sluice/pino', pino as unknown as typeof realPino],
])('a line of %s in a request', (_, make) => {
  test('a line contains the request id only when a mixin adds it', () => {
    using logs = captureLogs()
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const plain = make({ base: null, timestamp: false }, stream)
    const mixed = make({ base: null, timestamp: false, mixin: () => ({ 'request.id': currentRequestId() }) }, stream)
    const id = inRequest(logs, () => {
      plain.info('a')
      mixed.info('b')
    })
    mixed.info('c')
    expect(lines).toEqual([
      '{"level":30,"msg":"a"}\n',
      `{"level":30,"request.id":"${id}","msg":"b"}\n`,
      '{"level":30,"msg":"c"}\n',
    ])
  })
})

describe('request attributes of records from compatible APIs', () => {
  test.each<readonly [string, (logs: Captured) => { info(message: string): unknown }]>([
    ['an exporter of sluice/pino', (logs) => pino({ exporter: logs.exporter() }, nowhere)],
    [
      'an exporter of sluice/bunyan',
      (logs) => createBunyanLogger({ name: 'shop', exporter: logs.exporter(), stream: nowhere }),
    ],
    [
      'sluiceTransport',
      (logs) => createWinstonLogger({ transports: [sluiceTransport({ exporter: logs.exporter() })] }),
    ],
  ])('a record logged during a request has the request attributes with %s', (_, make) => {
    using logs = captureLogs()
    const logger = make(logs)
    const id = inRequest(logs, () => logger.info('inside'))
    logger.info('outside')
    expect(logs.find('inside')!.attributes).toEqual({
      'request.id': id,
      'http.request.method': 'GET',
      'url.path': '/a',
    })
    expect(logs.find('outside')!.attributes).toEqual({})
  })
})
