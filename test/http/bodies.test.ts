import { describe, expect, jest, test } from '@jest/globals'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { requestLog, type RequestLogOptions } from '../../src/entries/node.ts'
import type { LoggerOptions } from '../../src/entries/index.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { importOf, runChild } from '../support/processes/child.ts'
import { waitUntil } from '../support/wait-until.ts'
import { hosts } from './hosts/all.ts'
import { endsOf, serving } from './suite.ts'

const both = { requestBody: true, responseBody: true }
const requestContent = 'http.request.body.content'
const responseContent = 'http.response.body.content'
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Echoes the body with its type. */
const echo: Handler = async (request, response) => {
  const body = await text(request)
  response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain')
  response.end(body)
}

/** Returns the record of a request with a body, and the body of its response. */
async function exchange(
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  options: Omit<RequestLogOptions, 'logger'> = both,
  logging: Partial<LoggerOptions> = {},
  handler = echo,
  method = 'POST',
): Promise<{ readonly record: CapturedRecord; readonly answer: string; readonly json: string }> {
  using logs = captureLogs(logging)
  const server = requestLog({ ...options, logger: logs.logger }).wrap(createServer((...args) => void handler(...args)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/a`, {
      method,
      headers,
      ...(method === 'POST' && { body: new Uint8Array(Buffer.from(body)) }),
    })
    const answer = await response.text()
    await waitUntil(() => endsOf(logs).length === 1)
    return { record: endsOf(logs)[0]!, answer, json: JSON.stringify(logs.records) }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' }

describe.each(hosts.map((host) => [host.name, host] as const))('bodies with %s', (_, host) => {
  test('the JSON body of a request is logged, and the handler receives it unchanged', () =>
    serving(host, { ...both, requestBody: ['/ord*'] }, async ({ fetch, ends, logs }) => {
      const order = { item: 'pen', card: { password: 'canary' } }
      const response = await fetch('/orders', { method: 'POST', body: JSON.stringify(order), headers: jsonType })
      expect(await response.text()).toBe('placed')
      const [end] = await ends(1)
      expect(end!.attributes[requestContent]).toEqual({ item: 'pen', card: { password: '[REDACTED]' } })
      expect(end!.attributes['http.request.body.size']).toBe(JSON.stringify(order).length)
      expect(logs.find('inside')!.attributes['body']).toEqual(order)
      expect(end!.attributes['http.response.body.size']).toBe('placed'.length)
    }))

  test('a body is not logged without the options', () =>
    serving(host, {}, async ({ fetch, ends }) => {
      await (await fetch('/orders', { method: 'POST', body: '{"item":"pen"}', headers: jsonType })).text()
      const [end] = await ends(1)
      expect(Object.keys(end!.attributes).filter((name) => name.includes('body'))).toEqual([])
    }))

  test('a streamed response is logged and not delayed', () =>
    serving(host, both, async ({ fetch, ends, control }) => {
      const response = await fetch('/stream')
      const reader = response.body!.getReader()
      // The first part arrives while the handler waits for `release`.
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('first ')
      control.release()
      while (!(await reader.read()).done);
      const [end] = await ends(1)
      expect(end!.attributes['http.response.body.size']).toBe('first second'.length)
    }))
})

describe('the logged body', () => {
  test('is redacted by the rules of the logger, also if it is longer than other limits', async () => {
    const card = { number: 'canary-1', pin: 'canary-2' }
    const body = JSON.stringify({ card, list: [card], note: `${'a'.repeat(2_000)} mail canary@example.com` })
    const redact = { keys: ['card'], paths: [`["${requestContent}"].list`], patterns: ['email' as const] }
    const logging = { redact: { ...redact, paths: [...redact.paths, `["${responseContent}"].list`] } }
    const { record, answer, json } = await exchange(body, jsonType, both, logging)
    expect(answer).toBe(body)
    expect(record.attributes[requestContent]).toMatchObject({ card: '[REDACTED]', list: '[REDACTED]' })
    expect(record.attributes[responseContent]).toMatchObject({ card: '[REDACTED]', list: '[REDACTED]' })
    expect(json).not.toContain('canary')
  })

  test('of a form is an object whose secrets are redacted', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { record } = await exchange('user=ada&password=canary&code=canary&tag=a&tag=b', type)
    expect(record.attributes[requestContent]).toEqual({
      user: 'ada',
      password: '[REDACTED]',
      code: '[REDACTED]',
      tag: ['a', 'b'],
    })
  })

  test('of a form with a field that occurs many times is an array, to which each value is added without a copy', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const copies = [jest.spyOn(Array.prototype, 'flat'), jest.spyOn(Array.prototype, 'concat')]
    const logging = { limits: { items: 10_000 } }
    const { record } = await exchange('a=1&'.repeat(4_000), type, { requestBody: true }, logging)
    const copyCount = copies.reduce((sum, copy) => sum + copy.mock.calls.length, 0)
    copies.forEach((copy) => copy.mockRestore())
    expect(record.attributes[requestContent]).toEqual({ a: Array<string>(4_000).fill('1') })
    expect(copyCount).toBeLessThan(100)
  })

  test('of a form with a field named `__proto__` or `constructor` is an object with these members', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { record } = await exchange('__proto__=a&constructor=b', type)
    expect(Object.entries(record.attributes[requestContent] as object)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })

  test('of plain text is the text, or an object if it is JSON', async () => {
    const type = { 'content-type': 'text/plain' }
    expect((await exchange('hello', type)).record.attributes[requestContent]).toBe('hello')
    const { record } = await exchange('{"token":"canary"}', type)
    expect(record.attributes[requestContent]).toEqual({ token: '[REDACTED]' })
  })

  test.each(['utf-8', '"utf-8"', '" UTF8"', ' us-ascii'])(
    'is parsed if its character set is written as %p',
    async (charset) => {
      const type = { 'content-type': `application/json; charset=${charset}` }
      expect((await exchange('{"a":1}', type)).record.attributes[requestContent]).toEqual({ a: 1 })
    },
  )

  test.each<[string, string | Buffer, Record<string, string>, string | undefined]>([
    ['is longer than the limit', `{"a":"${'x'.repeat(20_000)}"}`, jsonType, '[Too long]'],
    ['is invalid JSON', '{"password":"canary"', jsonType, '[Invalid JSON]'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), jsonType, '[Not UTF-8]'],
    ['is of another type', 'canary', { 'content-type': 'application/octet-stream' }, undefined],
    ['is compressed', gzipSync('{"a":1}'), { ...jsonType, 'content-encoding': 'gzip' }, undefined],
    ['has another character set', '{}', { 'content-type': 'application/json; charset=utf-16' }, undefined],
    ['has another character set in quotes', '{}', { 'content-type': 'text/plain; charset = "utf-16"' }, undefined],
  ])('is omitted with its size if it %s', async (_, body, headers, content) => {
    const { record, json } = await exchange(body, headers, { requestBody: true })
    expect(record.attributes[requestContent]).toBe(content)
    expect(record.attributes['http.request.body.size']).toBe(Buffer.byteLength(body))
    expect(json).not.toContain('canary')
  })

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['to a HEAD request', 'HEAD', (response) => response.end('hello')],
    ['with status 204', 'GET', (response) => response.writeHead(204).end('hello')],
    ['with status 304', 'GET', (response) => response.writeHead(304).end('hello')],
  ])('of a response %s, which Node does not send, is not logged', async (_, method, respond) => {
    const handler: Handler = (_request, response) => {
      response.setHeader('content-type', 'text/plain')
      respond(response)
    }
    const { record } = await exchange('', {}, both, {}, handler, method)
    expect(Object.keys(record.attributes).filter((name) => name.includes('response.body'))).toEqual([])
  })

  test.each<[string, (response: ServerResponse) => void, number, unknown]>([
    ['text over the limit', (response) => response.end('é'.repeat(20_000)), 40_000, '[Too long]'],
    [
      'parts over the limit',
      (response) => (response.write('é'.repeat(9_000)), response.end('éa')),
      18_003,
      '[Too long]',
    ],
    ['text in hexadecimal', (response) => response.end('6869', 'hex'), 2, 'hi'],
    ['text in Base64', (response) => (response.write('aA==', 'base64'), response.end('i')), 2, 'hi'],
    ['text in Latin-1', (response) => response.end('é'.repeat(10), 'latin1'), 10, '[Not UTF-8]'],
    ['long text in Latin-1', (response) => response.end('é'.repeat(20_000), 'latin1'), 20_000, '[Too long]'],
    ['an empty part', (response) => (response.write('hi'), response.end('')), 2, 'hi'],
  ])('of a response has its size in bytes for %s', async (_, respond, size, content) => {
    const handler: Handler = (_request, response) => {
      response.setHeader('content-type', 'text/plain')
      respond(response)
    }
    const { record, answer } = await exchange('', {}, both, {}, handler)
    expect(record.attributes).toMatchObject({ 'http.response.body.size': size, [responseContent]: content })
    expect(content === 'hi' ? answer : 'hi').toBe('hi')
  })

  test('of a response is not the reason for an error of a write with an unknown encoding', async () => {
    const codes: unknown[] = []
    const handler: Handler = ({ socket }, response) => {
      try {
        response.end('hi', 'no-encoding' as BufferEncoding)
      } catch (error) {
        codes.push((error as NodeJS.ErrnoException).code)
        socket.destroy()
      }
    }
    for (const options of [{}, both]) await exchange('', {}, options, {}, handler).catch(() => {})
    expect(codes).toEqual(['ERR_UNKNOWN_ENCODING', 'ERR_UNKNOWN_ENCODING'])
  })

  test('is bounded by `maxBodyBytes`, in bytes', async () => {
    const options = { ...both, maxBodyBytes: 10 }
    expect((await exchange('"12345678"', jsonType, options)).record.attributes).toMatchObject({
      [requestContent]: '12345678',
      [responseContent]: '12345678',
    })
    expect((await exchange('"é2345678"', jsonType, options)).record.attributes).toMatchObject({
      [requestContent]: '[Too long]',
      [responseContent]: '[Too long]',
    })
  })

  test('of a request that the handler does not read is incomplete, because the request is not read for it', async () => {
    const body = Buffer.alloc(8_000_000, 'a')
    const options = { ...both, maxBodyBytes: 4_000_000 }
    let wasRead: boolean | undefined
    const handler: Handler = async (request, response) => {
      await waitUntil(() => request.readableLength > 0)
      wasRead = request.readableDidRead
      response.end('early')
    }
    const { record } = await exchange(body, { 'content-type': 'text/plain' }, options, {}, handler)
    expect(wasRead).toBe(false)
    expect(record.attributes).toMatchObject({ [requestContent]: '[Incomplete]', 'http.response.body.size': 5 })
    expect(record.attributes['http.request.body.size']).toBeLessThan(4_000_000)
  })

  test('is selected by a function, whose errors do not fail the request', async () => {
    const options: Omit<RequestLogOptions, 'logger'> = {
      requestBody: ({ url }) => url === '/a',
      responseBody() {
        throw new Error('no')
      },
    }
    const { record, answer } = await exchange('{"a":1}', jsonType, options)
    expect(answer).toBe('{"a":1}')
    expect(record.attributes).toMatchObject({ [requestContent]: { a: 1 }, 'request_log.responseBody': '[Threw: no]' })
    expect(record.attributes).not.toHaveProperty([responseContent])
  })

  test('is the value at the time when it was written, although the program reuses the memory', async () => {
    const { record } = await exchange('{}', jsonType, both, {}, (_request, response) => {
      const buffer = Buffer.from('{"a":1}')
      response.setHeader('content-type', 'application/json')
      response.write(buffer, () => {
        buffer.fill('x')
        response.end()
      })
    })
    expect(record.attributes[responseContent]).toEqual({ a: 1 })
  })

  test('of an HTTP/2 request and its response are logged once', async () => {
    using logs = captureLogs()
    const log = requestLog({ ...both, logger: logs.logger })
    const server = log.wrap(
      createHttp2Server(async (request, response) => {
        const body = await text(request)
        response.setHeader('content-type', 'application/json')
        response.end(body)
      }),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const stream = client.request({ ':method': 'POST', ':path': '/a', ...jsonType })
    stream.end('{"a":1}')
    expect(await text(stream)).toBe('{"a":1}')
    await waitUntil(() => endsOf(logs).length === 1)
    client.close()
    server.close()
    expect(endsOf(logs)[0]!.attributes).toMatchObject({
      [requestContent]: { a: 1 },
      [responseContent]: { a: 1 },
      'http.request.body.size': 7,
      'http.response.body.size': 7,
    })
  })
})

test('a body that arrives in many small parts is kept in one buffer', async () => {
  const { stdout } = await runChild({
    args: [
      '--expose-gc',
      '--input-type=module',
      '--eval',
      `${importOf('{ BodyCapture }', 'src/http/body-capture.ts')}
       const part = Buffer.from('a')
       const used = () => (gc(), gc(), process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers)
       const bodies = Array.from({ length: 10 }, () => new BodyCapture(16_384))
       const before = used()
       for (const body of bodies) for (let i = 0; i < 16_384; i++) body.add(part)
       console.log((used() - before) / bodies.length)`,
    ],
  })
  expect(Number(stdout)).toBeGreaterThan(16_384)
  expect(Number(stdout)).toBeLessThan(40_000)
})

test.each([
  ['requestBody', 'yes', 'SLUICE_OPTION_TYPE'],
  ['responseBody', ['orders'], 'SLUICE_OPTION_RANGE'],
  ['maxBodyBytes', 0, 'SLUICE_OPTION_RANGE'],
])('the option %s with the value %p is rejected', (name, value, code) => {
  using logs = captureLogs()
  const problem = expect.objectContaining({ code, path: expect.stringContaining(name) })
  expect(() => requestLog({ logger: logs.logger, [name]: value })).toThrow(
    expect.objectContaining({ problems: [problem] }),
  )
})
