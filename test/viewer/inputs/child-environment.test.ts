import { expect, test } from '@jest/globals'
import { childEnvironment, signalsSentElsewhere } from '../../../src/viewer/inputs/child-environment.ts'

const url = 'http://127.0.0.1:4318'
const token = 'a+b/c'.repeat(8)

const endpoints = (environment: NodeJS.ProcessEnv, secret?: string) =>
  Object.fromEntries(
    Object.entries(childEnvironment(environment, { url, token: secret }, 1)).filter(([name]) =>
      name.startsWith('OTEL_EXPORTER_'),
    ),
  )

test('a program sends to the viewer', () => {
  expect(childEnvironment({ PATH: '/bin' }, { url, token: undefined }, 1)).toEqual({
    PATH: '/bin',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_BSP_SCHEDULE_DELAY: '500',
  })
})

test('variables of the user are not changed', () => {
  const own = { OTEL_LOGS_EXPORTER: 'console', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', FORCE_COLOR: '0' }
  expect(childEnvironment(own, { url, token: undefined }, 24)).toMatchObject(own)
})

const tokenHeader = `authorization=Bearer%20${encodeURIComponent(token)}`

test('the token is sent in a header of logs and of traces, encoded as a member of baggage', () => {
  expect(endpoints({}, token)).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: tokenHeader,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: tokenHeader,
  })
})

test('metrics that are sent elsewhere get neither the token nor a protocol, and stay enabled', () => {
  const own = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://collector.example/v1/metrics' }
  expect(endpoints(own, token)).toEqual({
    ...own,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${url}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: tokenHeader,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: tokenHeader,
  })
  expect(childEnvironment(own, { url, token }, 1)).not.toHaveProperty('OTEL_METRICS_EXPORTER')
  expect(signalsSentElsewhere(own)).toEqual([])
})

test('an empty variable of OpenTelemetry counts as not set', () => {
  const own = {
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: '',
    OTEL_LOGS_EXPORTER: '',
    EMPTY: '',
  }
  expect(childEnvironment(own, { url, token: undefined }, 1)).toEqual({
    ...childEnvironment({}, { url, token: undefined }, 1),
    EMPTY: '',
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme' }, `x-tenant=acme,${tokenHeader}`, `x-tenant=acme,${tokenHeader}`],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme', OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x-kind=logs, ' },
    `x-kind=logs,${tokenHeader}`,
    `x-tenant=acme,${tokenHeader}`,
  ],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b, Authorization = Basic%20x' }, `a=b,${tokenHeader}`, `a=b,${tokenHeader}`],
])('the token is added to the headers of the user: %j', (own, logs, traces) => {
  const { OTEL_EXPORTER_OTLP_LOGS_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS, ...others } = endpoints(own, token)
  expect([OTEL_EXPORTER_OTLP_LOGS_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS]).toEqual([logs, traces])
  // The general headers are sent to other addresses too.
  expect(others['OTEL_EXPORTER_OTLP_HEADERS']).toBe(own.OTEL_EXPORTER_OTLP_HEADERS)
  expect(endpoints(own)).toMatchObject(own)
})

test('a program with an endpoint of its own gets no endpoint, protocol or token', () => {
  const own = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' }
  expect(endpoints(own, token)).toEqual(own)
  expect(signalsSentElsewhere(own)).toEqual(['logs', 'traces'])
})

test('a program with an endpoint for one signal sends only the other one to the viewer, and only that with the token', () => {
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }
  expect(endpoints(own, token)).toEqual({
    ...own,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${url}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: tokenHeader,
  })
  expect(signalsSentElsewhere(own)).toEqual(['traces'])
})

test.each([
  [{}, 24, '3'],
  [{}, 8, '2'],
  [{}, 4, '1'],
  [{}, 1, undefined],
  [{ NO_COLOR: '1' }, 24, undefined],
  [{ NODE_DISABLE_COLORS: '1' }, 24, undefined],
  [{ NO_COLOR: '' }, 24, '3'],
  [{ FORCE_COLOR: '0' }, 24, '0'],
])('with the variables %j and %d bits of color, FORCE_COLOR is %s', (environment, depth, expected) => {
  expect(childEnvironment(environment, { url, token: undefined }, depth)['FORCE_COLOR']).toBe(expected)
})
