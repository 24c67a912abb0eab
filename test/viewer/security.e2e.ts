import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { OutgoingHttpHeaders } from 'node:http'
import { requestOf } from './support.ts'
import { RunningViewer } from './running-viewer.ts'

const token = 'a-token-of-32-visible-characters'
let open: RunningViewer
let locked: RunningViewer

beforeAll(async () => {
  open = await RunningViewer.start()
  locked = await RunningViewer.start({ token })
})

afterAll(() => {
  open.close()
  locked.close()
})

const own = (): string => `127.0.0.1:${open.port}`
const cookie = (value: string): OutgoingHttpHeaders => ({ cookie: `other=1; sluice_token_${locked.port}=${value}` })

const logs = requestOf([{ body: 'hello' }])

describe('requests of other sites', () => {
  test.each<[string, () => OutgoingHttpHeaders]>([
    ['a foreign Host, as after DNS rebinding', () => ({ host: 'evil.example' })],
    ['a Host that contains localhost', () => ({ host: 'localhost.evil.example:4318' })],
    ['the Origin of another site', () => ({ host: own(), origin: 'http://evil.example' })],
    ['the Origin of another port', () => ({ host: own(), origin: 'http://localhost:3000' })],
    ['the Origin null, which frames in a sandbox have', () => ({ host: own(), origin: 'null' })],
    ['Sec-Fetch-Site: cross-site', () => ({ host: own(), 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: same-site', () => ({ host: own(), 'sec-fetch-site': 'same-site' })],
  ])('the API refuses a request with %s', async (_, headers) => {
    for (const path of ['/api/keys', '/api/live', '/api/export', '/api/telemetry/logs']) {
      const response = await open.send(path, { headers: headers() })
      expect(response.status).toBe(403)
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test.each<[string, OutgoingHttpHeaders]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a site whose name begins with localhost', { origin: 'http://localhost.evil.example' }],
    ['no site, such as a file', { origin: 'null' }],
    ['a foreign Host', { host: 'evil.example' }],
  ])('the endpoints of OTLP refuse telemetry and preflight requests of %s, and store nothing', async (_, headers) => {
    const { size } = open.server.logs
    for (const method of ['POST', 'OPTIONS']) {
      const type = 'application/x-protobuf'
      const body = method === 'POST' ? logs : ''
      const response = await open.send('/v1/logs', { method, body, headers: { 'content-type': type, ...headers } })
      expect(response.status).toBe(403)
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect(open.server.logs.size).toBe(size)
  })

  test('the endpoints of OTLP allow pages of this machine to send telemetry, with any headers, and to read the response', async () => {
    const origin = 'http://localhost:3000'
    const preflight = await locked.send('/v1/logs', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'content-type,x-team' },
    })
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type,x-team',
        vary: 'origin',
      },
    })
    const refused = await locked.post('/v1/logs', logs, { origin })
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': origin } })
    const response = await open.post('/v1/logs', logs, { origin })
    expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } })
  })

  test('the page loads nothing of other servers, and cannot be shown in a frame', async () => {
    const { headers } = await open.send('/')
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })
})

describe('the token', () => {
  test.each<[string, () => OutgoingHttpHeaders]>([
    ['no token', () => ({})],
    ['another token', () => ({ authorization: `Bearer ${token.replace('a', 'b')}` })],
    ['the start of the token', () => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
    ['the token and more', () => ({ authorization: `Bearer ${token}x` })],
    ['the token of another scheme', () => ({ authorization: `Basic ${token}` })],
    ['an empty token', () => ({ authorization: 'Bearer ' })],
    ['another cookie', () => cookie('x'.repeat(32))],
    ['a damaged cookie', () => cookie('%E0%A4%A')],
    ['the cookie of another port', () => ({ cookie: `sluice_token_1=${token}` })],
  ])('a request with %s is refused, and the response does not contain the token', async (_, headers) => {
    const paths = ['/', '/api/keys', '/api/live', '/api/telemetry/logs?follow=true', '/v1/logs', '/unknown']
    for (const path of paths) {
      const method = path.startsWith('/v1/') ? 'POST' : 'GET'
      const response = await locked.send(path, { method, headers: headers() })
      expect(response.status).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer realm="sluice ui"')
      expect(response.text).not.toContain(token.slice(0, 8))
    }
  })

  test.each<[string, () => OutgoingHttpHeaders]>([
    ['the header Authorization', () => ({ authorization: `Bearer ${token}` })],
    ['its cookie', () => cookie(token)],
    ['the header X-API-Key', () => ({ 'x-api-key': token })],
  ])('a request with the token in %s is answered', async (_, headers) => {
    const { status } = await locked.send('/api/keys', { headers: headers() })
    expect(status).toBe(200)
    const response = await locked.post('/v1/logs', logs, headers())
    expect(response.status).toBe(200)
  })

  test('the address with the token sets a cookie that no script can read, and is replaced by one without the token', async () => {
    const response = await locked.send(`/?token=${token}`)
    expect(response).toMatchObject({ status: 303, text: '', headers: { location: '/', 'cache-control': 'no-store' } })
    const [setCookie = ''] = response.headers['set-cookie'] ?? []
    expect(setCookie).toContain('HttpOnly')
    expect(setCookie).toContain('SameSite=Strict')
    const page = await locked.send('/', { headers: { cookie: setCookie.split(';', 1)[0] } })
    expect(page.status).toBe(200)
  })

  test.each([['/?token=wrong'], [`/page.js?token=${token}`], [`/api/keys?token=${token}`]])(
    'the address %s does not give access',
    async (path) => {
      const response = await locked.send(path)
      expect(response.status).toBe(401)
      expect(response.headers['set-cookie']).toBeUndefined()
    },
  )
})

describe('methods and paths', () => {
  test.each([
    ['GET', '/v1/logs', 405, 'POST'],
    ['PUT', '/v1/traces', 405, 'POST'],
    ['POST', '/', 405, 'GET, HEAD'],
    ['HEAD', '/api/keys', 405, 'GET'],
    ['DELETE', '/api/keys', 405, 'GET'],
    ['OPTIONS', '/api/keys', 405, 'GET'],
    ['TRACE', '/', 405, 'GET, HEAD'],
    ['POST', '/v1/profiles', 404, undefined],
    ['GET', '/v1', 404, undefined],
    ['GET', '/api/', 404, undefined],
    ['GET', '/api/unknown', 404, undefined],
    ['GET', '/../../etc/passwd', 404, undefined],
    ['GET', '/..%2f..%2fetc/passwd', 404, undefined],
    ['GET', '/%2e%2e/package.json', 404, undefined],
    ['GET', '/page.js%00.html', 404, undefined],
    ['GET', '//evil.example/', 404, undefined],
    ['GET', '/<script>alert(1)</script>', 404, undefined],
    ['GET', '/__proto__', 404, undefined],
    ['GET', '/api/records/__proto__', 404, undefined],
    ['GET', '/api/records/0.5', 404, undefined],
    ['GET', '/api/records/-1', 404, undefined],
    ['GET', '/api/records/1e999', 404, undefined],
    ['GET', '/api/traces/x', 400, undefined],
    ['GET', '/api/rows', 400, undefined],
    ['GET', '/api/rows?view=1&from=0&count=1', 404, undefined],
    ['GET', '/api/live?level=__proto__', 400, undefined],
    ['GET', '/api/live?q=a%3D', 400, undefined],
    ['GET', '/api/live?trace=0', 400, undefined],
    ['GET', '/api/live?from=x', 400, undefined],
    ['GET', '/api/export?format=__proto__', 400, undefined],
    ['GET', '/api/export?redact=__proto__', 400, undefined],
  ])('%s %s is answered with %d', async (method, path, status, allow) => {
    const response = await open.send(path, { method })
    expect(response.status).toBe(status)
    expect(response.headers.allow).toBe(allow)
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
    expect(response.text.length).toBeLessThan(300)
    // A response to HEAD has no body.
    expect(() => JSON.parse(method === 'HEAD' ? '{}' : response.text) as unknown).not.toThrow()
  })

  test.each([
    [
      'an absolute address',
      'GET http://evil.example/api/keys HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      400,
    ],
    ['no header Host', 'GET / HTTP/1.0\r\n\r\n', 403],
    ['a header that is too long', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['no HTTP', 'hello\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST /v1/logs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('a request with %s is answered with an error', async (_, bytes, status) => {
    const answer = await open.sendBytes(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test('HEAD / is answered like GET / without a body', async () => {
    const [head, get] = [await open.send('/', { method: 'HEAD' }), await open.send('/')]
    expect(head).toMatchObject({ status: 200, text: '' })
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })

  test('the answer to a request with a long path is short', async () => {
    const response = await open.send(`/${'x'.repeat(10_000)}`)
    expect(response.status).toBe(404)
    expect(response.text.length).toBeLessThan(300)
  })

  test('a client of gRPC gets an error that names the protocol to use, and so does the user', async () => {
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'
    // Exporters send again. One warning is enough.
    await open.sendBytes(preface)
    const answer = await open.sendBytes(preface)
    expect(answer).toMatch(/^HTTP\/1\.1 505 /)
    expect(answer).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf')
    expect(open.warnings).toEqual([expect.stringContaining('gRPC is not supported')])
  })
})
