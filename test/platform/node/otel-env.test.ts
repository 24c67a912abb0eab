import { describe, expect, test } from '@jest/globals'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { readOtlpEnvironment } from '../../../src/platform/node/otel-env.ts'
import type { Environment } from '../../../src/platform/node/variables.ts'

function read(env: Environment) {
  const problems: Diagnostic[] = []
  const { url, headers, ...rest } = readOtlpEnvironment((problem) => problems.push(problem), env)
  return {
    ...rest,
    url: url?.href,
    headers: Object.fromEntries(headers),
    problems: problems.map(({ message }) => message),
  }
}

const nothing = {
  url: undefined,
  protocol: undefined,
  headers: {},
  compression: undefined,
  timeoutMillis: undefined,
  caFile: undefined,
  certFile: undefined,
  keyFile: undefined,
  problems: [],
}

test('an environment without variables or with empty variables sets nothing', () => {
  expect(read({})).toEqual(nothing)
  const names = ['ENDPOINT', 'PROTOCOL', 'HEADERS', 'COMPRESSION', 'TIMEOUT', 'CERTIFICATE', 'CLIENT_KEY']
  const empty = names.flatMap((name) => [
    [`OTEL_EXPORTER_OTLP_${name}`, ''],
    [`OTEL_EXPORTER_OTLP_LOGS_${name}`, ' '],
  ])
  expect(read(Object.fromEntries(empty))).toEqual(nothing)
})

// Requirements: OTL4
describe('variables for logs and for all signals', () => {
  test.each([
    // Requirements: ENV17
    ['PROTOCOL', 'http/json', 'http/protobuf', 'protocol', 'http/json'],
    // Requirements: ENV19
    ['COMPRESSION', 'none', 'gzip', 'compression', 'none'],
    // Requirements: ENV20
    ['TIMEOUT', '0', '5000', 'timeoutMillis', 0],
    // Requirements: ENV21
    ['CERTIFICATE', '/logs/ca.pem', '/ca.pem', 'caFile', '/logs/ca.pem'],
    // Requirements: ENV21
    ['CLIENT_CERTIFICATE', '/logs/cert.pem', '/cert.pem', 'certFile', '/logs/cert.pem'],
    // Requirements: ENV21
    ['CLIENT_KEY', '/logs/key.pem', '/key.pem', 'keyFile', '/logs/key.pem'],
  ] as const)('OTEL_EXPORTER_OTLP_LOGS_%s overrides OTEL_EXPORTER_OTLP_*', (name, own, base, setting, value) => {
    const both = { [`OTEL_EXPORTER_OTLP_LOGS_${name}`]: own, [`OTEL_EXPORTER_OTLP_${name}`]: base }
    expect(read(both)[setting]).toBe(value)
    expect(String(read({ [`OTEL_EXPORTER_OTLP_${name}`]: base })[setting])).toBe(base)
  })

  test('an invalid variable for logs is reported, and the variable for all signals is used', () => {
    const env = { OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: 'soon', OTEL_EXPORTER_OTLP_TIMEOUT: '5000' }
    expect(read(env)).toEqual({
      ...nothing,
      timeoutMillis: 5_000,
      problems: ['OTEL_EXPORTER_OTLP_LOGS_TIMEOUT must be a number of milliseconds; it is ignored'],
    })
  })
})

// Requirements: OTL3, ENV16
describe('the endpoint', () => {
  test.each([
    ['http://collector:4318', 'http://collector:4318/'],
    ['http://collector:4318/', 'http://collector:4318/'],
    ['https://api.example/otlp', 'https://api.example/otlp'],
    ['https://api.example/v1/logs/?key=a%20b', 'https://api.example/v1/logs/?key=a%20b'],
    ['HTTP://Collector', 'http://collector/'],
  ])('an endpoint for logs is used unchanged: %s', (value, url) => {
    const env = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: value, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other' }
    expect(read(env)).toMatchObject({ url, problems: [] })
  })

  test.each([
    ['http://collector:4318', 'http://collector:4318/v1/logs'],
    ['http://collector:4318/', 'http://collector:4318/v1/logs'],
    ['https://api.example/otlp', 'https://api.example/otlp/v1/logs'],
    ['https://api.example/otlp/', 'https://api.example/otlp/v1/logs'],
    ['https://api.example/otlp?key=a', 'https://api.example/otlp/v1/logs?key=a'],
  ])('the path v1/logs is appended to an endpoint for all signals: %s', (value, url) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: value })).toMatchObject({ url, problems: [] })
  })

  // Fault rows: 44
  test.each([
    'collector:4318',
    'grpc://collector:4317',
    'file:///etc/passwd',
    'unix:/run/otel.sock',
    'http://',
    'http://collector:99999',
    'http://collector/\r\nX-Evil: 1',
    'http://good.example\\@evil.example/',
    'http://localhost:4318@evil.example/',
    'http://good.example:80@evil.example/',
    'http://user@evil.example/',
  ])('the value %j is rejected as an endpoint', (value) => {
    const env = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: value, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://base' }
    const found = read(env)
    expect(found.url).toBe('http://base/v1/logs')
    expect(found.problems).toEqual([expect.stringMatching(/^OTEL_EXPORTER_OTLP_LOGS_ENDPOINT must .*; it is ignored$/)])
    expect(found.problems[0]).not.toContain('evil')
  })

  test('an endpoint may have a user name and a password', () => {
    const env = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://ann:s%3Acret@collector/' }
    expect(read(env)).toMatchObject({ url: 'https://ann:s%3Acret@collector/', problems: [] })
  })
})

describe('headers', () => {
  // Requirements: OTL4, ENV18
  test('headers are name=value pairs with percent-encoded values, merged from both variables', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-tenant = base ,,empty=',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'X-Tenant=logs,x-key=YWJjZA==',
    }
    expect(read(env)).toMatchObject({
      headers: { authorization: 'Basic YTpi', 'x-tenant': 'logs', empty: '', 'x-key': 'YWJjZA==' },
      problems: [],
    })
  })

  // Fault rows: 36, 44
  test.each([
    ['a', 'is not name=value with a percent-encoded value'],
    ['a=%zz', 'is not name=value with a percent-encoded value'],
    ['a=secret;metadata', 'is not name=value with a percent-encoded value'],
    ['=secret', 'has an invalid name'],
    ['a b=secret', 'has an invalid name'],
    ['a=secret%0D%0AX-Evil:%201', 'has a value with invalid characters'],
    ['a=%E6%97%A5', 'has a value with invalid characters'],
    ['Content-Length=5', 'is set by the exporter'],
    ['transfer-encoding=chunked', 'is set by the exporter'],
  ])('an invalid header entry %j is ignored and reported without its value', (entry, what) => {
    const found = read({ OTEL_EXPORTER_OTLP_LOGS_HEADERS: `x-before=1,${entry},x-after=2` })
    expect(found.headers).toEqual({ 'x-before': '1', 'x-after': '2' })
    expect(found.problems).toEqual([`OTEL_EXPORTER_OTLP_LOGS_HEADERS has an entry that ${what}; it is ignored`])
  })

  test('a header may have the name __proto__', () => {
    expect(readOtlpEnvironment(undefined, { OTEL_EXPORTER_OTLP_HEADERS: '__proto__=1' }).headers.get('__proto__')).toBe(
      '1',
    )
  })
})

describe('invalid values', () => {
  test.each([
    ['PROTOCOL', 'grpc', /is grpc, which otlpExporter does not support; HTTP is used$/],
    ['PROTOCOL', 'soap', /must be one of http\/protobuf, http\/json; it is ignored$/],
    ['COMPRESSION', 'zstd', /must be one of gzip, none; it is ignored$/],
    ['TIMEOUT', '-1', /must be a number of milliseconds; it is ignored$/],
    ['TIMEOUT', '1e3', /must be a number of milliseconds; it is ignored$/],
    ['TIMEOUT', '99999999999', /must be a number of milliseconds; it is ignored$/],
  ])('OTEL_EXPORTER_OTLP_%s=%s is ignored with a warning', (name, value, message) => {
    const { problems, ...settings } = read({ [`OTEL_EXPORTER_OTLP_${name}`]: value })
    expect({ ...settings, problems: [] }).toEqual(nothing)
    expect(problems).toEqual([expect.stringMatching(message)])
  })

  test('values of the protocol and the compression are case-insensitive', () => {
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'HTTP/JSON', OTEL_EXPORTER_OTLP_COMPRESSION: 'GZip' }
    expect(read(env)).toMatchObject({ protocol: 'http/json', compression: 'gzip', problems: [] })
  })
})
