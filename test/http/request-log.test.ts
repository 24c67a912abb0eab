import { afterEach, describe, expect, test } from '@jest/globals'
import { ROOT_CONTEXT, context as contexts, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { createRequestLog, type HttpRequest, type RequestLogOptions } from '../../src/entries/http.ts'
import { noResponse, type CompleteResponse } from '../../src/http/exchange.ts'
import { createLogger, withContext, type ConfigurationError, type LoggerOptions } from '../../src/entries/index.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { hostile } from '../support/values/hostile.ts'

const headersOf =
  (headers: Readonly<Record<string, string | string[]>>): HttpRequest['header'] =>
  (name) =>
    headers[name]
const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  header: () => undefined,
  ...more,
})

const anyArray: unknown = expect.any(Array)

/** Returns the single record of a request and its response. */
function recordOf(
  request: HttpRequest,
  response: Partial<CompleteResponse> = { statusCode: 200 },
  options: Omit<RequestLogOptions, 'logger'> = {},
  logging: Partial<LoggerOptions> = {},
): CapturedRecord {
  using logs = captureLogs(logging)
  createRequestLog({ ...options, logger: logs.logger })
    .begin(request)
    .end({ ...noResponse, ...response })
  expect(logs.records).toHaveLength(1)
  return logs.records[0]!
}

describe('validation of options', () => {
  const logger = createLogger({ level: 'silent' })
  test('createRequestLog accepts valid options', () => {
    expect(
      problemsOf({ logger, sample: 0.5, ignore: ['/a', '/b*', '*'], requestHeaders: ['Accept'], level: undefined }),
    ).toEqual([])
    expect(problemsOf({ logger: logger.child({ a: 1 }), sample: () => 1, ignore: () => true })).toEqual([])
  })

  test.each([undefined, null, 1, [], () => {}])('createRequestLog throws when the options are %p', (given) => {
    expect(problemsOf(given).map(([code]) => code)).toEqual(['SLUICE_OPTION_TYPE'])
  })

  test('createRequestLog throws when the logger is missing or belongs to another library', () => {
    expect(problemsOf({})).toEqual([['SLUICE_OPTION_TYPE', 'logger']])
    expect(problemsOf({ logger: console })).toEqual([['SLUICE_OPTION_TYPE', 'logger']])
  })

  test('createRequestLog reports all invalid options in one error', () => {
    expect(
      problemsOf({
        logger,
        logStart: 1,
        level: 'info',
        requestIdHeader: 'x id',
        sample: 2,
        ignore: ['healthz', 1, '/a*b', '/a?b=c'],
        requestHeaders: 'accept',
        trustRequestID: true,
      }),
    ).toEqual([
      ['SLUICE_OPTION_TYPE', 'logStart'],
      ['SLUICE_OPTION_TYPE', 'level'],
      ['SLUICE_OPTION_RANGE', 'requestIdHeader'],
      ['SLUICE_OPTION_RANGE', 'sample'],
      ['SLUICE_OPTION_RANGE', 'ignore[0]'],
      ['SLUICE_OPTION_TYPE', 'ignore[1]'],
      ['SLUICE_OPTION_RANGE', 'ignore[2]'],
      ['SLUICE_OPTION_RANGE', 'ignore[3]'],
      ['SLUICE_OPTION_TYPE', 'requestHeaders'],
      ['SLUICE_OPTION_UNKNOWN', 'trustRequestID'],
    ])
  })
})

describe('the request target', () => {
  test.each([
    ['/', '/', undefined],
    ['/a?', '/a', undefined],
    ['/a?b=1&c', '/a', 'b=1&c'],
    ['//a/b', '//a/b', undefined],
    ['/a?b?c=1', '/a', 'b?c=1'],
    ['*', '*', undefined],
    ['http://me:canary@host/a?b=1', '/a', 'b=1'],
    ['https://me:canary@host', '/', undefined],
    ['http://host?b=1', '/', 'b=1'],
    ['me:canary@host:443', 'host:443', undefined],
    ['/a?token=canary', '/a', 'token=[REDACTED]'],
    ['/a?x=1&API-key=canary&y=2', '/a', 'x=1&API-key=[REDACTED]&y=2'],
    ['/a?user%5Bpass_word%5D=canary&a==b', '/a', 'user%5Bpass_word%5D=[REDACTED]&a==b'],
    ['/a?token&token=&tokens=1', '/a', 'token&token=[REDACTED]&tokens=1'],
    [
      '/a?X-Amz-Signature=canary&AWSAccessKeyId=canary&sig=canary',
      '/a',
      'X-Amz-Signature=[REDACTED]&AWSAccessKeyId=[REDACTED]&sig=[REDACTED]',
    ],
    ['/a?%=1&%zz=2', '/a', '%=1&%zz=2'],
    ['/a?plan=canary', '/a', 'plan=[REDACTED]'],
  ])('the target %s is logged as a path and a query without secrets', (url, path, query) => {
    const { attributes } = recordOf(get(url), { statusCode: 200 }, { secretParameters: ['Plan'] })
    expect([attributes['url.path'], attributes['url.query']]).toEqual([path, query])
  })

  test.each([
    'private_token',
    'reset_token',
    'oauth_token',
    'x-api-key',
    'api_token',
    'secret_key',
    'db_password',
    'smtp_pass',
    'user%5Bdb_password%5D',
    'passphrase',
    'session',
  ])('the query parameter %s is redacted by default', (name) => {
    expect(recordOf(get(`/a?${name}=canary`)).attributes['url.query']).toBe(`${name}=[REDACTED]`)
  })

  test.each(['page', 'nextPageToken', 'bypass', 'sort_key', 'postcode'])(
    'the query parameter %s is not redacted',
    (name) => {
      expect(recordOf(get(`/a?${name}=1`)).attributes['url.query']).toBe(`${name}=1`)
    },
  )

  test('the query is omitted with `query: false`', () => {
    expect(recordOf(get('/a?b=1'), undefined, { query: false }).attributes).not.toHaveProperty(['url.query'])
  })
})

test('an unknown method is logged as _OTHER with the original method', () => {
  expect(recordOf(get('/', { method: 'BREW' })).attributes).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'BREW',
  })
})

test.each([
  ['example.org', 'example.org', undefined],
  ['example.org:8080', 'example.org', 8080],
  ['[::1]:8080', '[::1]', 8080],
  ['[::1]', '[::1]', undefined],
  ['me:canary@host:1', 'host', 1],
  ['host:port', 'host', undefined],
])('the server address and port are parsed from the Host header: %s', (host, address, port) => {
  const { attributes } = recordOf(get('/', { header: headersOf({ host }) }))
  expect([attributes['server.address'], attributes['server.port']]).toEqual([address, port])
})

test.each([[[]], [undefined], [null]])('the attribute of a header is omitted when `header` returns %j', (value) => {
  const { attributes } = recordOf(get('/', { header: () => value as unknown as undefined }), undefined, {
    requestHeaders: ['accept'],
  })
  for (const name of ['user_agent.original', 'server.address', 'server.port'])
    expect(attributes).not.toHaveProperty([name])
  expect(attributes['http.request.header.accept'] ?? []).toEqual([])
})

test('listed headers are logged, with credentials redacted', () => {
  const header = headersOf({ accept: 'text/html', 'set-cookie': ['a=canary', 'b=canary'], via: ['one', 'two'] })
  const { attributes } = recordOf(
    get('/', { header }),
    { statusCode: 200, header: headersOf({ 'content-length': '12', 'set-cookie': ['c=canary', 'd=canary'] }) },
    { requestHeaders: ['Accept', 'via', 'missing'], responseHeaders: ['content-length', 'Set-Cookie'] },
  )
  expect(attributes).toMatchObject({
    'http.request.header.accept': ['text/html'],
    'http.request.header.via': ['one', 'two'],
    'http.response.header.content-length': ['12'],
    'http.response.header.set-cookie': '[REDACTED]',
  })
  expect(attributes).not.toHaveProperty(['http.request.header.missing'])
})

test.each([
  ['/a?token=canary&b=1', '/a?token=[REDACTED]&b=1'],
  ['https://me:canary@host:1/a?plan=canary#b', 'https://host:1/a?plan=[REDACTED]#b'],
  ['//me:canary@host/a', '//host/a'],
  ['https://host/@a?b=@c', 'https://host/@a?b=@c'],
  ['https://host/a#access_token=canary&b=1', 'https://host/a#access_token=[REDACTED]&b=1'],
  ['https://host/a?b=1#/c?code=canary', 'https://host/a?b=1#/c?code=[REDACTED]'],
  ['null', 'null'],
])('a URL in a header is redacted in the same way as the request target: %s', (url, shown) => {
  const names = ['referer', 'origin', 'location', 'content-location']
  const header = headersOf(Object.fromEntries([...names, 'via'].map((name) => [name, url])))
  const { attributes } = recordOf(
    get('/', { header }),
    { statusCode: 302, header },
    {
      requestHeaders: ['Referer', 'origin', 'via'],
      responseHeaders: ['Location', 'content-location'],
      secretParameters: ['plan'],
    },
  )
  expect(attributes).toMatchObject({
    'http.request.header.referer': [shown],
    'http.request.header.origin': [shown],
    'http.request.header.via': [url],
    'http.response.header.location': [shown],
    'http.response.header.content-location': [shown],
  })
})

test.each([
  [
    'link',
    '<https://me:canary@host/a?page=2&token=canary>; rel="next"; title="a, b", </b?code=canary#c>; rel=prev',
    '<https://host/a?page=2&token=[REDACTED]>; rel="next"; title="a, b", </b?code=[REDACTED]#c>; rel=prev',
  ],
  ['link', '</a>; anchor="/b?a=1,2&token=canary"; rel=x', '</a>; anchor="/b?a=1,2&token=[REDACTED]"; rel=x'],
  ['link', '</a>;Anchor = /b?token=canary; rel=x', '</a>;Anchor = /b?token=[REDACTED]; rel=x'],
  ['link', '</a?token=canary', '</a?token=[REDACTED]'],
  ['link', '/a?token=canary', '/a?token=[REDACTED]'],
  ['refresh', '5', '5'],
  ['refresh', '5; url=https://me:canary@host/a?token=canary&b=1', '5; url=https://host/a?token=[REDACTED]&b=1'],
  ['refresh', "0.5,URL = '/a?token=canary' /b?token=canary", "0.5,URL = '/a?token=[REDACTED]' /b?token=[REDACTED]"],
  ['refresh', '1 "/a?token=canary', '1 "/a?token=[REDACTED]'],
  ['refresh', '/a?token=canary', '/a?token=[REDACTED]'],
])('URLs in the header %s are redacted in the same way as the request target: %s', (name, value, shown) => {
  const header = headersOf({ [name]: [value, value] })
  const { attributes } = recordOf(get('/'), { statusCode: 200, header }, { responseHeaders: [name] })
  expect(attributes[`http.response.header.${name}`]).toEqual([shown, shown])
})

describe('the level of the completion record', () => {
  test.each([
    [{ statusCode: 200 }, undefined, 'info', 'GET / 200', undefined],
    [{ statusCode: 404 }, undefined, 'info', 'GET / 404', undefined],
    [{ statusCode: 503 }, undefined, 'error', 'GET / 503', '503'],
    [{ statusCode: 503 }, new TypeError('t'), 'error', 'GET / 503', 'TypeError'],
    [{ statusCode: 400 }, new TypeError('t'), 'info', 'GET / 400', undefined],
    [{ unfinished: 'aborted' }, undefined, 'warn', 'GET / aborted', 'aborted'],
    [{ unfinished: 'aborted', statusCode: 200 }, undefined, 'warn', 'GET / 200 aborted', 'aborted'],
    [{ unfinished: 'process_exit' }, new TypeError('t'), 'error', 'GET / aborted by exit', 'TypeError'],
    [{}, 'thrown text', 'error', 'GET / failed', 'string'],
    [{ statusCode: 500 }, undefined, 'error', 'GET / 500', '500'],
  ] as const)(
    'the response %p with the error %p sets level, message and error type',
    (response, thrown, level, message, type) => {
      using logs = captureLogs()
      const scope = createRequestLog({ logger: logs.logger }).begin(get('/'))
      if (thrown !== undefined) scope.reportError(thrown)
      scope.end({ ...noResponse, ...response })
      expect(logs.records[0]).toMatchObject({ level })
      expect(logs.records[0]!.message?.replace(/ [\d.]+ms$/, '')).toBe(message)
      expect(logs.records[0]!.attributes['error.type']).toBe(type)
    },
  )

  test('the `level` function receives the request, the response, the error and the duration, and sets the level', () => {
    const seen: unknown[] = []
    const record = recordOf(
      get('/a'),
      { statusCode: 404, route: '/:a' },
      {
        level(exchange) {
          seen.push(exchange)
          return 'warn'
        },
      },
    )
    expect(record.level).toBe('warn')
    expect(seen).toEqual([
      {
        request: expect.objectContaining({ url: '/a' }),
        response: { statusCode: 404, route: '/:a' },
        error: undefined,
        durationSeconds: expect.any(Number),
        isSlow: false,
      },
    ])
  })

  test('an unknown level returned by the `level` function is ignored and reported in an attribute', () => {
    const record = recordOf(get('/a'), undefined, { level: () => 'loud' as 'info' })
    expect(record).toMatchObject({ level: 'info', attributes: { 'request_log.level': 'not a level' } })
  })
})

test('error.type is the class of the logged exception', () => {
  class NoSuchShelf extends Error {}
  using logs = captureLogs()
  const scope = createRequestLog({ logger: logs.logger }).begin(get('/'))
  scope.reportError(new NoSuchShelf('7'))
  scope.end({ ...noResponse, statusCode: 500 })
  expect(logs.records[0]).toMatchObject({ attributes: { 'error.type': 'NoSuchShelf' }, error: { type: 'NoSuchShelf' } })
})

test('`scope.logger` adds the request attributes outside the async context of the request', () => {
  using logs = captureLogs()
  const scope = createRequestLog({ logger: logs.logger }).begin(get('/a'))
  scope.logger.info('outside')
  scope.run(() => scope.logger.info('inside'))
  const expected = { 'request.id': scope.id, 'http.request.method': 'GET', 'url.path': '/a' }
  expect(logs.records.map(({ attributes }) => attributes)).toEqual([expected, expected])
})

test('only the first call of `end` logs a record', () => {
  using logs = captureLogs()
  const log = createRequestLog({ logger: logs.logger })
  const scope = log.begin(get('/'))
  scope.end({ ...noResponse, statusCode: 200 })
  scope.end({ ...noResponse, statusCode: 500 })
  scope.reportError(new Error('late'))
  expect(logs.records).toHaveLength(1)
  expect(log.stats()).toEqual({ requests: 1, open: 0, ignored: 0, sampledOut: 0 })
})

test('the duration does not depend on the wall clock', () => {
  const { now } = Date
  try {
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger }).begin(get('/'))
    Date.now = () => 0
    scope.end({ ...noResponse, statusCode: 200 })
    const { 'http.server.request.duration': seconds } = logs.records[0]!.attributes
    expect(seconds).toBeGreaterThanOrEqual(0)
    expect(seconds).toBeLessThan(10)
  } finally {
    Date.now = now
  }
})

test('an invalid id from `generateRequestId` is replaced and reported in an attribute', () => {
  expect(recordOf(get('/'), undefined, { generateRequestId: () => 'r-7' }).attributes['request.id']).toBe('r-7')
  const refused = recordOf(get('/'), undefined, { generateRequestId: () => 'a b' })
  expect(refused.attributes).toMatchObject({
    'request.id': expect.stringMatching(/^[\da-f-]{36}$/),
    'request_log.generateRequestId': 'not an id of 1 to 128 characters',
  })
})

test('callbacks that return promises are not awaited but reported in attributes, and rejections are handled', async () => {
  const later = (async () => Promise.reject(new Error('later'))) as () => any
  const request = get('/', { header: () => 'r-1' })
  const { level, attributes } = recordOf(
    request,
    { statusCode: 200 },
    { attributes: later, level: later, ignore: later, sample: later, trustRequestId: later, generateRequestId: later },
  )
  await new Promise(setImmediate)
  const shown = 'a promise, which is not waited for'
  expect([level, attributes]).toEqual([
    'info',
    {
      'request.id': expect.stringMatching(/^[\da-f-]{36}$/),
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.server.request.duration': expect.any(Number),
      'server.address': 'r-1',
      'url.path': '/',
      'user_agent.original': 'r-1',
      'request_log.attributes': shown,
      'request_log.level': shown,
      'request_log.ignore': shown,
      'request_log.sample': shown,
      'request_log.trustRequestId': shown,
      'request_log.generateRequestId': shown,
    },
  ])
})

test('built-in attributes take precedence over custom attributes, and these over those of a child logger', () => {
  using logs = captureLogs()
  const logger = logs.logger.child({ tenant: 'of the child', shop: 's' })
  const custom = { tenant: 'acme', 'url.path': '/false', 'request.id': 'false' }
  createRequestLog({ logger, attributes: () => custom })
    .begin(get('/true'))
    .end({ ...noResponse, statusCode: 200 })
  expect(logs.records[0]!.attributes).toMatchObject({ tenant: 'acme', shop: 's', 'url.path': '/true' })
  expect(logs.records[0]!.attributes['request.id']).not.toBe('false')
})

test('withContext in a request adds to the attributes of the request', () => {
  using logs = captureLogs()
  const scope = createRequestLog({ logger: logs.logger }).begin(get('/a'))
  scope.run(() => withContext({ step: 2 }, () => logs.logger.info('inside')))
  expect(logs.find('inside')!.attributes).toEqual({
    'request.id': scope.id,
    'http.request.method': 'GET',
    'url.path': '/a',
    step: 2,
  })
})

test('`scope.run` returns the result and propagates the error of the function', async () => {
  using logs = captureLogs()
  const scope = createRequestLog({ logger: logs.logger }).begin(get('/'))
  expect(scope.run(() => 7)).toBe(7)
  expect(await scope.run(async () => 8)).toBe(8)
  const error = new Error('out')
  expect(() =>
    scope.run(() => {
      throw error
    }),
  ).toThrow(error)
  await expect(scope.run(() => Promise.reject(error))).rejects.toBe(error)
})

describe('custom values in a request', () => {
  test.each(hostile)('request attributes can contain %s', (title, make, written) => {
    // Context attributes are captured before the rules of a logger apply, with a larger limit for arrays.
    const expected = title === 'an array without end' ? anyArray : written
    using logs = captureLogs()
    const scope = createRequestLog({ logger: logs.logger, attributes: () => ({ value: make() }) }).begin(get('/'))
    scope.run(() => logs.logger.info('inside', { again: make() }))
    scope.end({ ...noResponse, statusCode: 200 })
    expect(logs.records).toHaveLength(2)
    expect(logs.records[0]!.attributes).toMatchObject({ again: written, value: expected })
    expect(logs.records[1]!.attributes).toMatchObject({ value: expected, 'http.response.status_code': 200 })
  })

  test.each([
    ['paths', { paths: ['user.pin', '["url.path"]'] }],
    ['keys', { keys: ['pin', 'url.path'] }],
    ['patterns', { patterns: [{ name: 'canary', pattern: /canary/ }] }],
  ])('request attributes are redacted by %s of the logger, of a child and of a child in the request', (_, redact) => {
    using logs = captureLogs({ redact })
    const { logger } = logs
    const attributes = { user: { pin: 'canary' } }
    const scope = createRequestLog({ logger, logStart: true, attributes: () => attributes }).begin(get('/canary'))
    scope.run(() =>
      logger.child({ a: 1 }, { redact: ['more'] }).info('inside', { user: { pin: 'canary' }, more: 'canary' }),
    )
    scope.reportError(new Error('plain'))
    scope.end({ ...noResponse, statusCode: 500 })
    expect(logs.records).toHaveLength(3)
    expect(JSON.stringify(logs.records)).not.toContain('canary')
  })

  test('an attribute named __proto__ does not change a prototype', () => {
    const attributes = JSON.parse('{"__proto__":{"polluted":1},"a":2}') as object
    const { line } = recordOf(get('/'), undefined, { attributes: () => attributes })
    expect(line).toContain('"__proto__":{"polluted":1},"a":2')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('the built-in attributes are logged when the `attributes` function does not return an object', () => {
    for (const value of [undefined, null, 7, 'text', () => 1]) {
      expect(recordOf(get('/'), undefined, { attributes: () => value as object }).attributes).toHaveProperty([
        'request.id',
      ])
    }
  })
})

describe('trace context', () => {
  afterEach(() => contexts.disable())

  test('both records of a request have the span that was active when the request began', () => {
    contexts.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    using logs = captureLogs()
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
    const log = createRequestLog({ logger: logs.logger, logStart: true })
    const scope = contexts.with(trace.setSpanContext(ROOT_CONTEXT, ids), () => log.begin(get('/')))
    const header = headersOf({ traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` })
    const without = log.begin(get('/', { header }))
    scope.end({ ...noResponse, statusCode: 200 })
    without.end({ ...noResponse, statusCode: 200 })
    const [, untraced] = logs.filter('request received')
    expect(logs.filter({ message: /^GET|^request/ }).filter(({ traceId }) => traceId === ids.traceId)).toHaveLength(2)
    expect(untraced!.traceId).toBeUndefined()
  })
})

test('a sample ratio of 0.1 keeps every tenth request, and an invalid ratio is reported in an attribute', () => {
  using logs = captureLogs()
  const log = createRequestLog({ logger: logs.logger, sample: 0.1 })
  for (let i = 0; i < 1_000; i++) log.begin(get('/')).end({ ...noResponse, statusCode: 200 })
  expect(logs.records).toHaveLength(100)
  expect(log.stats()).toEqual({ requests: 1_000, open: 0, ignored: 0, sampledOut: 900 })
  for (const share of [2, NaN, '1' as unknown as number]) {
    const { attributes } = recordOf(get('/'), undefined, { sample: () => share })
    expect(attributes).toMatchObject({ 'request_log.sample': 'not a number from 0 to 1' })
  }
})

/** Returns the code and path of every problem with the options. */
function problemsOf(options: unknown): readonly (readonly [string, string])[] {
  try {
    createRequestLog(options as RequestLogOptions)
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ code, path }) => [code, path] as const)
  }
  return []
}
