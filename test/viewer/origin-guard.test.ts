import { describe, expect, test } from '@jest/globals'
import type { IncomingMessage } from 'node:http'
import { OriginGuard } from '../../src/viewer/server/origin-guard.ts'

const requestWith = (headers: Record<string, string>): IncomingMessage => ({ headers }) as unknown as IncomingMessage

describe('the header Host', () => {
  test.each([
    ['127.0.0.1:4318'],
    ['localhost:4318'],
    ['LOCALHOST'],
    ['[::1]:4318'],
    ['app.localhost:4318'],
    ['127.1.2.3'],
    ['192.168.0.7:4318'],
  ])('the viewer answers requests to %s if it is bound to 192.168.0.7', (host) => {
    expect(() => new OriginGuard('192.168.0.7').checkHost(requestWith({ host }))).not.toThrow()
  })

  test.each([
    ['evil.example'],
    ['evil.example:4318'],
    ['localhost.evil.example'],
    ['127.0.0.1.evil.example'],
    ['evil.example#localhost'],
    ['localhost@evil.example'],
    ['[::1].evil.example'],
    ['xlocalhost'],
    [''],
  ])('the viewer refuses requests to %p, as a page could send after DNS rebinding', (host) => {
    expect(() => new OriginGuard('127.0.0.1').checkHost(requestWith({ host }))).toThrow('localhost only')
  })

  test('the viewer refuses a request without the header Host', () => {
    expect(() => new OriginGuard('127.0.0.1').checkHost(requestWith({}))).toThrow('localhost only')
  })
})

describe('the header Origin', () => {
  test.each([
    [{ host: 'localhost:4318' }],
    [{ host: 'localhost:4318', origin: 'http://localhost:4318', 'sec-fetch-site': 'same-origin' }],
    [{ host: 'localhost:4318', 'sec-fetch-site': 'none' }],
  ])('the API answers a request with %j', (headers) => {
    expect(() => new OriginGuard('127.0.0.1').checkSameOrigin(requestWith(headers))).not.toThrow()
  })

  test.each([
    [{ host: 'localhost:4318', origin: 'http://localhost:3000' }],
    [{ host: 'localhost:4318', origin: 'https://localhost:4318' }],
    [{ host: 'localhost:4318', origin: 'http://evil.example' }],
    [{ host: 'localhost:4318', origin: 'null' }],
    [{ host: 'localhost:4318', 'sec-fetch-site': 'cross-site' }],
    [{ host: 'localhost:4318', 'sec-fetch-site': 'same-site' }],
  ])('the API refuses a request with %j', (headers) => {
    expect(() => new OriginGuard('127.0.0.1').checkSameOrigin(requestWith(headers as Record<string, string>))).toThrow(
      'its own page only',
    )
  })

  test.each([['http://localhost:3000'], ['https://127.0.0.1:8443'], ['http://[::1]:3000']])(
    'a page of %s may send telemetry',
    (origin) => {
      expect(new OriginGuard('127.0.0.1').telemetryOrigin(requestWith({ origin }))).toBe(origin)
    },
  )

  test.each([
    ['http://evil.example'],
    ['null'],
    ['file://'],
    ['http://localhost.evil.example'],
    ['chrome-extension://a'],
  ])('a page of %s may not send telemetry', (origin) => {
    expect(() => new OriginGuard('127.0.0.1').telemetryOrigin(requestWith({ origin }))).toThrow('pages of this machine')
  })
})
