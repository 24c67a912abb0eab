import { describe, expect, test } from '@jest/globals'
import { createRequestLog, type RequestLogOptions } from '../../src/entries/http.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { noResponse, type CompleteResponse } from '../../src/http/exchange.ts'

/** Returns the records of one request. With the limit 0 every request is slow, with Infinity none. */
function recordsOf(
  options: Omit<RequestLogOptions, 'logger'>,
  response: Partial<CompleteResponse> = { statusCode: 200 },
): readonly CapturedRecord[] {
  using logs = captureLogs()
  createRequestLog({ ...options, logger: logs.logger })
    .begin({ method: 'GET', url: '/a', header: () => undefined })
    .end({ ...noResponse, ...response })
  return logs.records
}

const slow = { level: 'warn', attributes: { 'request_log.slow': true } }

describe('a slow request', () => {
  test('is logged at level warn with an attribute', () => {
    expect(recordsOf({ slowMillis: 0 })).toMatchObject([slow])
  })

  test('is logged although it is sampled out', () => {
    expect(recordsOf({ slowMillis: 0, sample: 0 })).toMatchObject([slow])
    expect(recordsOf({ slowMillis: Infinity, sample: 0 })).toEqual([])
  })

  test('is not logged if it is ignored', () => {
    expect(recordsOf({ slowMillis: 0, ignore: ['/a'] })).toEqual([])
  })

  test('is logged at the level that the option `level` returns, also if it is sampled out', () => {
    const options: Omit<RequestLogOptions, 'logger'> = { level: ({ isSlow }) => (isSlow ? 'info' : 'debug') }
    expect(recordsOf({ ...options, slowMillis: 0, sample: 0 })).toMatchObject([{ ...slow, level: 'info' }])
  })

  test('is logged at level error if it failed', () => {
    expect(recordsOf({ slowMillis: 0 }, { statusCode: 503 })).toMatchObject([{ ...slow, level: 'error' }])
  })

  test('has the limit that a function returns; with undefined it is not slow', () => {
    expect(recordsOf({ slowMillis: ({ url }) => (url === '/a' ? 0 : Infinity) })).toMatchObject([slow])
    expect(recordsOf({ slowMillis: () => undefined })).toMatchObject([{ level: 'info' }])
  })

  test('is not slow if the function throws, which is reported', () => {
    const [record] = recordsOf({
      slowMillis() {
        throw new Error('no limit')
      },
    })
    expect(record).toMatchObject({ level: 'info', attributes: { 'request_log.slowMillis': '[Threw: no limit]' } })
  })

  test.each(['1s', NaN, -1, null])('is not slow if the function returns %p, which is reported', (limit) => {
    const [record] = recordsOf({ slowMillis: () => limit as number })
    const attributes = { 'request_log.slowMillis': 'not a number of milliseconds' }
    expect(record).toMatchObject({ level: 'info', attributes })
  })
})

test('an upgraded connection is never slow', () => {
  expect(recordsOf({ slowMillis: 0 }, {})).toMatchObject([{ level: 'info' }])
})

test.each([
  [-1, 'SLUICE_OPTION_RANGE'],
  [NaN, 'SLUICE_OPTION_RANGE'],
  ['1s', 'SLUICE_OPTION_TYPE'],
])('the limit %p of slow requests is rejected', (slowMillis, code) => {
  expect(() => recordsOf({ slowMillis: slowMillis as number })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code, path: 'slowMillis' })] }),
  )
})
