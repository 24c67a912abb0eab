import { describe, expect, test } from '@jest/globals'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { otlpSettings, type OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import { otlpExporter, otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const settings = (options: OtlpExporterOptions = {}, env = {}) => otlpSettings(options, env)

function problemsOf(options: unknown): string {
  try {
    otlpExporterIn({}, options as OtlpExporterOptions)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

function codesOf(options: OtlpExporterOptions): string[] {
  try {
    settings(options)
    return []
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ code }) => code)
  }
}

// Requirements: OTL1, OTL2, OTL13
test('otlpExporter sends protobuf to a local Collector with a timeout of 10 s by default', () => {
  const { url, headers, ...rest } = settings()
  expect(url.href).toBe('http://localhost:4318/v1/logs')
  expect([...headers.getSync()]).toEqual([])
  expect(rest).toMatchObject({
    protocol: 'http/protobuf',
    compression: 'none',
    timeoutMillis: 10_000,
    agent: undefined,
    retry: {},
    maxRequestBytes: 16 * 1024 * 1024,
    delayMillis: 1_000,
    delivery: { maxQueueSize: 16_384, maxExportBatchSize: 512 },
  })
  expect(rest.tls.read()).toEqual({})
})

// Requirements: OTL13
test('exportTimeoutMillis is not set by default, so that it cannot end the retries of a batch', () => {
  expect(otlpExporter().delivery.exportTimeoutMillis).toBeUndefined()
  expect(otlpExporter({ exportTimeoutMillis: 10_000 }).delivery.exportTimeoutMillis).toBe(10_000)
})

// Requirements: BLR1
test('the batch size is limited by the size of the queue and of a request', () => {
  expect(otlpExporter({ maxQueueSize: 100 }).delivery).toMatchObject({ maxQueueSize: 100, maxExportBatchSize: 100 })
  expect(otlpExporter({ maxRequestBytes: 1_000 }).batchBytes).toBe(1_000)
  expect(otlpExporter().batchBytes).toBe(512 * 1024)
})

// Requirements: OTL4
// Fault rows: 44
describe('precedence of options and environment variables', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://base',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://logs',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=base,b=base,c=base',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'b=logs,c=logs',
  }

  test('environment variables for logs take precedence over those for all signals', () => {
    const found = settings({}, env)
    expect(found.url.href).toBe('http://logs/')
    expect(found).toMatchObject({ protocol: 'http/json', compression: 'gzip', timeoutMillis: 1 })
    expect(Object.fromEntries(found.headers.getSync())).toEqual({ a: 'base', b: 'logs', c: 'logs' })
  })

  test('options take precedence over environment variables', () => {
    const found = settings(
      {
        url: 'http://code/x',
        protocol: 'http/protobuf',
        compression: 'none',
        timeoutMillis: 0,
        headers: { C: 'code' },
      },
      env,
    )
    expect(found.url.href).toBe('http://code/x')
    expect(found).toMatchObject({ protocol: 'http/protobuf', compression: 'none', timeoutMillis: 0 })
    expect(Object.fromEntries(found.headers.getSync())).toEqual({ a: 'base', b: 'logs', c: 'code' })
  })
})

// Requirements: OTL4, OTL16
test('each tls option takes precedence over its environment variable', () => {
  const directory = temporaryDirectory()
  const [certFile, keyFile] = [directory.path('env.pem'), directory.path('env.key')]
  writeFileSync(certFile, 'cert of the environment')
  writeFileSync(keyFile, 'key of the environment')
  const env = {
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere',
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: certFile,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: keyFile,
  }
  const found = settings({ tls: { ca: 'ca of the code', servername: 'collector' } }, env).tls.read()
  directory.remove()
  expect(found).toEqual({
    ca: 'ca of the code',
    cert: 'cert of the environment',
    key: 'key of the environment',
    servername: 'collector',
  })
})

test('invalid environment variables do not throw, and are reported when the exporter starts', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://x', OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: 'options-test' }
  const host = recordingHost()
  otlpExporterIn(env, {}).start!(host)
  expect(host.diagnostics).toEqual([
    {
      code: 'SLUICE_ENV_INVALID',
      message: 'OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https://; it is ignored',
    },
    {
      code: 'SLUICE_ENV_INVALID',
      message: 'OTEL_EXPORTER_OTLP_LOGS_TIMEOUT must be a number of milliseconds; it is ignored',
    },
  ])
})

// Fault rows: 44
describe('validation of options', () => {
  test.each<[string, unknown, RegExp]>([
    ['a file URL', { url: 'file:///etc/passwd' }, /otlpExporter\.url: must begin with http:\/\/ or https:\/\//],
    ['a URL of a local socket', { url: 'unix:/run/x.sock' }, /must begin with http/],
    ['a URL without a scheme', { url: 'collector:4318' }, /must begin with http/],
    ['a line break in the URL', { url: 'http://a/\r\nHost: b' }, /must not contain spaces, control characters/],
    [
      'a URL with a second host before the @',
      { url: 'http://localhost:4318@evil/' },
      /must have a user name and a password before the @/,
    ],
    [
      'a password with a bare %',
      { url: 'http://ann:100%@x/' },
      /url: must have % in its user name and password encoded/,
    ],
    ['a user name with a broken %', { url: 'http://a%zz:p@x/' }, /must have % in its user name and password encoded/],
    [
      'an http.Agent for https:',
      { url: 'https://x', agent: new Agent() },
      /agent: must be an https\.Agent, because the/,
    ],
    [
      'an https.Agent for http:',
      { url: 'http://x', agent: new SecureAgent() },
      /agent: must be an http\.Agent, because/,
    ],
    ['an https.Agent for the default', { agent: new SecureAgent() }, /agent: must be an http\.Agent, because/],
    ['a URL that is not a string', { url: 7 }, /url: must be a string/],
    ['a line break in a header', { headers: { a: 'b\r\nc: d' } }, /headers: "a" has a value with invalid characters/],
    ['a header name with a colon', { headers: { 'a:': 'b' } }, /headers: "a:" has an invalid name/],
    ['a header that frames the request', { headers: { 'Content-Length': '5' } }, /is set by the exporter/],
    ['a header that is not a string', { headers: { a: 5 } }, /headers: "a" has a value that is not a string/],
    ['headers that are an array', { headers: ['a'] }, /headers: must be an object or a function/],
    ['the gRPC protocol', { protocol: 'grpc' }, /protocol: must be one of http\/protobuf, http\/json/],
    ['an unknown compression', { compression: 'zstd' }, /compression: must be one of gzip, none/],
    ['a negative timeout', { timeoutMillis: -1 }, /timeoutMillis: must be an integer from 0/],
    ['an unknown TLS option', { tls: { rejectUnauthorized: false } }, /tls\.rejectUnauthorized: unknown option/],
    ['an invalid certificate', { tls: { ca: 5 } }, /tls\.ca: must be PEM text or bytes/],
    ['an invalid agent', { agent: {} }, /agent: must be an http\.Agent or https\.Agent/],
    [
      'an unknown retry option',
      { retry: { maxElapsed: 1 } },
      /retry\.maxElapsed: unknown option; write maxElapsedMillis/,
    ],
    ['a request size of 0', { maxRequestBytes: 0 }, /maxRequestBytes: must be an integer of 1 or more/],
    ['a misspelt option', { URL: 'http://x' }, /URL: unknown option/],
  ])('otlpExporter rejects %s', (_title, options, message) => {
    expect(problemsOf(options)).toMatch(message)
  })

  test('otlpExporter reports all invalid options at once', () => {
    expect(problemsOf({ url: 'x', timeoutMillis: 'y', tls: { key: 1 } })).toMatch(
      /\.url: .*timeoutMillis: .*tls\.key: /,
    )
  })

  test('otlpExporter accepts valid options', () => {
    const pem = '-----BEGIN CERTIFICATE-----'
    const valid: OtlpExporterOptions = {
      url: 'https://ann:secret@collector.example/otlp/v1/logs?x=1',
      headers: () => ({ a: 'b' }),
      tls: { ca: [pem, Buffer.from(pem)], cert: pem, key: pem, passphrase: '', servername: 'collector' },
      agent: new SecureAgent(),
      retry: { maxElapsedMillis: Infinity },
      maxRequestBytes: Infinity,
      onFull: 'block',
    }
    expect(problemsOf(valid)).toBe('')
  })
})

test('an agent for another protocol conflicts with the url option but not with the environment', () => {
  const agent = new Agent()
  expect(codesOf({ url: 'https://x', agent })).toEqual(['SLUICE_OPTION_CONFLICT'])
  expect(settings({ agent }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://x' }).agent).toBe(agent)
})

test('an agent whose protocol is a getter is accepted for both protocols', () => {
  class Both extends Agent {
    get protocol(): string {
      return 'http:'
    }
    set protocol(_given: string) {}
  }
  expect(problemsOf({ url: 'https://x', agent: new Both() })).toBe('')
})

test('a password in the environment that cannot be decoded is reported without its value', () => {
  const host = recordingHost()
  otlpExporterIn({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:hunter2%@x' }, {}).start!(host)
  expect(host.diagnostics).toMatchObject([{ code: 'SLUICE_ENV_INVALID' }])
  expect(JSON.stringify(host.diagnostics)).not.toContain('hunter2')
})

test('properties of Object.prototype are not read as options', () => {
  const polluted: Record<string, unknown> = {
    url: 'http://evil/',
    agent: new Agent(),
    headers: { a: 'evil' },
    tls: { ca: 'evil' },
    ca: 'evil',
    retry: { maxElapsedMillis: 0 },
    maxElapsedMillis: 0,
    maxRequestBytes: 1,
    maxQueueSize: 1,
    exportTimeoutMillis: 1,
  }
  for (const [name, value] of Object.entries(polluted)) {
    // oxlint-disable-next-line no-extend-native
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
  }
  let found
  try {
    const { url, agent, headers, tls, retry, maxRequestBytes, delivery } = settings({ tls: {}, retry: {} })
    const { maxElapsedMillis = 'default' } = retry
    const { maxQueueSize, exportTimeoutMillis = 'default' } = delivery
    const fields = [...headers.getSync()]
    const certificates = Object.entries(tls.read())
    const href = url.href
    found = [href, agent, fields, certificates, maxElapsedMillis, maxRequestBytes, maxQueueSize, exportTimeoutMillis]
  } finally {
    for (const name of Object.keys(polluted)) delete (Object.prototype as Record<string, unknown>)[name]
  }
  const mebibytes = 16 * 1024 * 1024
  expect(found).toEqual(['http://localhost:4318/v1/logs', undefined, [], [], 'default', mebibytes, 16_384, 'default'])
})

test.each<[string, () => unknown, string]>([
  ['returns a promise', () => Promise.resolve({}), 'headers() returned a promise'],
  ['returns a promise that rejects', () => Promise.reject(new Error('hunter2')), 'headers() returned a promise'],
  [
    'throws',
    () => {
      throw new Error('hunter2')
    },
    'headers() threw',
  ],
  ['returns no object', () => undefined, 'headers() did not return an object'],
  ['returns an invalid header', () => ({ 'a b': 'hunter2' }), 'headers() returned "a b", which'],
])('an error of synchronous headers has the reason if the function %s', (_, headers, reason) => {
  const source = settings({ headers: headers as never }).headers
  expect(() => source.getSync()).toThrow(reason)
  expect(() => source.getSync()).toThrow(', and no earlier result is available')
  expect(() => source.getSync()).not.toThrow('hunter2')
})

// Fault rows: 36
test('secrets in options appear neither in errors nor in an inspected exporter', () => {
  const secrets = ['hunter2', 'p4ssw0rd', 'k3y']
  const wrong = [
    { url: 'ftp://ann:hunter2@x' },
    { url: 'http://localhost:hunter2 @x' },
    { headers: { authorization: 'hunter2\n' } },
    { tls: { key: 5, passphrase: ['p4ssw0rd'] } },
  ]
  for (const options of wrong) {
    expect(problemsOf(options)).not.toBe('')
    for (const secret of secrets) expect(problemsOf(options)).not.toContain(secret)
  }
  const exporter = otlpExporterIn(
    { OTEL_EXPORTER_OTLP_HEADERS: 'x=hunter2' },
    { url: 'http://ann:p4ssw0rd@x/path-token', headers: { key: 'k3y' }, tls: { passphrase: 'k3y' } },
  )
  expect(exporter.name).toBe('otlp:http://x')
  const shown = inspect(exporter, { depth: 20, showHidden: true }) + JSON.stringify(exporter)
  for (const secret of [...secrets, 'path-token']) expect(shown).not.toContain(secret)
})

/** Returns the diagnostics of an exporter that is started. */
function reportedAtStart(url: string) {
  const host = recordingHost()
  otlpExporterIn({}, { url }).start?.(host)
  return host.diagnostics
}

describe('a URL without a path', () => {
  test.each(['http://collector:4318', 'https://ann:hunter2@collector:4318', 'http://collector:4318?token=hunter2'])(
    'otlpExporter adds /v1/logs to %s and reports it without secrets',
    (url) => {
      const parsed = new URL(url)
      parsed.pathname = '/v1/logs'
      expect(settings({ url }).url.href).toBe(parsed.href)
      expect(reportedAtStart(url)).toEqual([
        {
          code: 'SLUICE_OTLP_PATH_ADDED',
          message: `otlp:${parsed.origin}: url has no path, so records are sent to ${parsed.origin}/v1/logs; write that URL`,
        },
      ])
    },
  )

  test.each(['http://collector:4318/', 'http://collector:4318/v1/logs', 'http://collector/otlp?a=/b'])(
    'otlpExporter uses the URL %s unchanged',
    (url) => {
      expect(settings({ url }).url.href).toBe(url)
      expect(reportedAtStart(url)).toEqual([])
    },
  )

  test('otlpExporter uses OTEL_EXPORTER_OTLP_LOGS_ENDPOINT unchanged, as OpenTelemetry specifies', () => {
    const env = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://collector:4318' }
    expect(settings({}, env).url.href).toBe('http://collector:4318/')
  })
})
