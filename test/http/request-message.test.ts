import { describe, expect, test } from '@jest/globals'
import { createRequestLog, type HttpRequest, type RequestLogOptions } from '../../src/entries/http.ts'
import type { LoggerOptions } from '../../src/entries/index.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { noResponse, type CompleteResponse } from '../../src/http/exchange.ts'
import { hosts } from './hosts/all.ts'
import { serving } from './suite.ts'

const secretUrl = '/orders/17?token=canary&page=2'

function recordOf(
  url: string,
  response: Partial<CompleteResponse>,
  options: Omit<RequestLogOptions, 'logger'> = {},
  logging: Partial<LoggerOptions> = {},
): CapturedRecord {
  using logs = captureLogs(logging)
  const request: HttpRequest = { method: 'POST', url, header: () => undefined }
  createRequestLog({ ...options, logger: logs.logger })
    .begin(request)
    .end({ ...noResponse, ...response })
  expect(logs.records).toHaveLength(1)
  return logs.records[0]!
}

describe('the message of a completed request', () => {
  test('has the method, the route, the status and the duration', () => {
    const { message } = recordOf(secretUrl, { statusCode: 201, route: '/orders/:id' })
    expect(message).toMatch(/^POST \/orders\/:id 201 [\d.]+ms$/)
  })

  test('has the path without the query if the route is not known', () => {
    expect(recordOf(secretUrl, { statusCode: 201 }).message).toMatch(/^POST \/orders\/17 201 [\d.]+ms$/)
  })

  test('keeps the braces of a route', () => {
    expect(recordOf('/a', { statusCode: 200, route: '/{id}' }).message).toMatch(/^POST \/\{id\} 200 /)
  })

  test('has no path that the logger redacts', () => {
    const redact = { paths: ['["url.path"]'] }
    expect(recordOf('/reset/canary', { statusCode: 200 }, {}, { redact }).message).toMatch(/^POST \[REDACTED\] 200 /)
  })

  test('is the template of the option `message`', () => {
    const options = { message: '{url.path}?{url.query} in {http.server.request.duration:duration}' }
    expect(recordOf(secretUrl, { statusCode: 200 }, options).message).toMatch(
      /^\/orders\/17\?token=\[REDACTED\]&page=2 in [\d.]+ms$/,
    )
  })

  test.each<[string, (url: string) => string]>([
    ['the URL', (url) => `served ${url}`],
    ['the query', (url) => `served ${url.slice(url.indexOf('?'))}`],
  ])('has no secrets of the query if a function returns %s', (_, message) => {
    const record = recordOf(secretUrl, { statusCode: 200 }, { message: ({ request }) => message(request.url) })
    expect(record.message).toMatch(/^served .*token=\[REDACTED\]&page=2$/)
    expect(JSON.stringify(record)).not.toContain('canary')
  })

  const secrets: readonly (readonly [value: string, forms: readonly string[]])[] = [
    ['canary', ['canary']],
    ['ca%20nary', ['ca%20nary', 'ca nary']],
    ['ca+nary', ['ca+nary', 'ca nary']],
    ['ca%2bnary', ['ca%2bnary', 'ca+nary', 'ca%2Bnary']],
    ['ca"nary', ['ca"nary', 'ca%22nary']],
    ['ca%nary', ['ca%nary', 'ca%25nary']],
    ['c%C3%A9nary', ['c%C3%A9nary', 'c\u00e9nary']],
    ['ca=nary', ['ca=nary', 'ca%3Dnary']],
    ['%7Bca%7Dnary', ['{ca}nary', '%7Bca%7Dnary']],
  ]
  const readers: readonly (readonly [title: string, read: (url: string) => string])[] = [
    ['the URL', (url) => url],
    ['the decoded URL', (url) => decodeURIComponent(url)],
    ['the query of a parsed URL', (url) => new URL(url, 'http://host').search],
    ['a query that is serialized again', (url) => String(new URL(url, 'http://host').searchParams)],
    ['the parameters', (url) => [...new URL(url, 'http://host').searchParams.values()].join(' and ')],
    ['the raw parameters', (url) => url.replace(/^.*\?/, '').split('&').join(' and ')],
  ]
  test.each(secrets.flatMap(([value, forms]) => readers.map(([title, read]) => [value, title, read, forms] as const)))(
    'has no secret %j of the query if a function returns %s',
    (value, _, read, forms) => {
      const url = `/orders/17?page=2&token=${value}&last=3`
      const message: RequestLogOptions['message'] = ({ request }) => {
        try {
          return `served ${read(request.url)}`
        } catch {
          return 'served [REDACTED]' // a percent sign that encodes nothing
        }
      }
      const record = recordOf(url, { statusCode: 200 }, { message })
      expect(record.message).toContain('served ')
      expect(record.message).toContain('[REDACTED]')
      for (const form of forms) expect(record.line).not.toContain(form)
    },
  )

  test('has no user information of an absolute URL if a function returns it', () => {
    const url = 'http://ada:canary@host/orders?page=2'
    const messages: RequestLogOptions['message'][] = [
      ({ request }) => request.url,
      ({ request }) => new URL(request.url).href,
      ({ request }) => new URL(request.url).password,
    ]
    for (const message of messages) expect(recordOf(url, { statusCode: 200 }, { message }).line).not.toContain('canary')
  })

  test.each(['ca&nary', 'ca%20na&ry', 'ca+na&ry'])('has no part of the password %s with an ampersand', (password) => {
    const url = `http://ada:${password}@host/orders`
    const messages: RequestLogOptions['message'][] = [
      () => `served ${decodeURIComponent(password)}`,
      () => `served ${password}`,
      () => `served ${decodeURIComponent(password.replaceAll('+', ' '))}`,
    ]
    for (const message of messages)
      expect(recordOf(url, { statusCode: 200 }, { message }).message).toBe('served [REDACTED]')
  })

  test.each<[string, (url: string) => string, string]>([
    ['the URL', (url) => url, '/{tenant}/{http.route}?q={tenant}'],
    ['the decoded URL', decodeURIComponent, '/{tenant}/{http.route}?q={tenant}'],
    ['a segment of the path', (url) => url.split('/')[1]!, '{tenant}'],
  ])('keeps the braces of the request if a function returns %s', (_, read, expected) => {
    for (const url of ['/{tenant}/{http.route}?q={tenant}', '/{tenant}/{http.route}?q=%7Btenant%7D']) {
      const message: RequestLogOptions['message'] = ({ request }) => `{http.request.method} ${read(request.url)}`
      const options = { message, attributes: () => ({ tenant: 'acme' }) }
      const { message: text } = recordOf(url, { statusCode: 200, route: '/:a' }, options)
      expect(decodeURIComponent(text)).toBe(`POST ${expected}`)
    }
  })

  test('has the attributes that a function names, also if other braces are those of the request', () => {
    const options: Pick<RequestLogOptions, 'message'> = {
      message: ({ request }) => `at ${request.url} {http.request.method} {"a":{}}`,
    }
    expect(recordOf('/{a}', { statusCode: 200 }, options).message).toBe('at /%7Ba%7D POST {"a":{}}')
  })

  test('is the default if the function returns undefined', () => {
    const record = recordOf('/a', { statusCode: 200 }, { message: () => undefined })
    expect(record.message).toMatch(/^POST \/a 200 /)
    expect(record.attributes).not.toHaveProperty(['request_log.message'])
  })

  test.each<[string, () => unknown, string]>([
    ['throws', thrower, '[Threw: no message]'],
    ['is asynchronous', async () => thrower(), 'a promise, which is not waited for'],
    ['returns another type', () => 17, 'not a string'],
  ])('is the default if the function %s, which is reported', (_, message, problem) => {
    const record = recordOf('/a', { statusCode: 200 }, { message: message as () => string })
    expect(record.message).toMatch(/^POST \/a 200 /)
    expect(record.attributes['request_log.message']).toBe(problem)
  })

  test('of the record of an arriving request is the text of `logStart`', () => {
    using logs = captureLogs()
    createRequestLog({ logger: logs.logger, logStart: '{http.request.method} {url.path} received' }).begin({
      method: 'GET',
      url: secretUrl,
      header: () => undefined,
    })
    expect(logs.records.map(({ message }) => message)).toEqual(['GET /orders/17 received'])
  })
})

test.each(hosts.map((host) => [host.name, host] as const))('the option `message` applies with %s', (_, host) =>
  serving(
    host,
    { message: ({ response, request }) => `${request.method}: ${response.statusCode}` },
    async ({ fetch, ends }) => {
      await (await fetch('/orders/1')).text()
      expect((await ends(1)).map(({ message }) => message)).toEqual(['GET: 200'])
    },
  ),
)

function thrower(): never {
  throw new Error('no message')
}
