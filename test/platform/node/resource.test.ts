import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { sdkVersion } from '../../../src/record/sdk-version.ts'
import { resourceFrom, type ResourceAttributes } from '../../../src/platform/node/resource.ts'

function from(env: Record<string, string>, given?: ResourceAttributes) {
  const problems: Diagnostic[] = []
  const { attributes, serviceName } = resourceFrom(given, (problem) => problems.push(problem), env)
  return { attributes: Object.fromEntries(attributes), serviceName, problems }
}
const sdk = { 'telemetry.sdk.name': 'sluice', 'telemetry.sdk.language': 'nodejs', 'telemetry.sdk.version': sdkVersion }

// Requirements: RES1, ENV1
test('the service name is unknown_service:node when none is set, and serviceName is undefined', () => {
  expect(from({})).toEqual({
    attributes: { ...sdk, 'service.name': 'unknown_service:node' },
    serviceName: undefined,
    problems: [],
  })
  expect(from({ OTEL_SERVICE_NAME: '', OTEL_RESOURCE_ATTRIBUTES: '' }).serviceName).toBeUndefined()
})

// Requirements: RES2
test('the attribute telemetry.sdk.name is sluice and not opentelemetry', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(from({}).attributes).toMatchObject({ 'telemetry.sdk.name': 'sluice', 'telemetry.sdk.version': version })
})

// Requirements: RES1
describe('precedence of resource attributes', () => {
  const env = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attribute,a=1,b=2', OTEL_SERVICE_NAME: 'variable' }
  // Requirements: ENV11
  test('OTEL_SERVICE_NAME overrides OTEL_RESOURCE_ATTRIBUTES', () => {
    expect(from(env)).toMatchObject({
      serviceName: 'variable',
      attributes: { 'service.name': 'variable', a: '1', b: '2' },
    })
    expect(from({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=attribute' }).serviceName).toBe('attribute')
  })
  // Requirements: ENV6
  test('attributes set in code override both variables', () => {
    const given = { 'service.name': 'code', a: 5, c: true }
    expect(from(env, given)).toMatchObject({
      serviceName: 'code',
      attributes: { 'service.name': 'code', a: 5, b: '2', c: true },
    })
  })
  test('an undefined attribute in code is ignored', () => {
    const given = { 'service.name': undefined } as unknown as ResourceAttributes
    expect(from(env, given).serviceName).toBe('variable')
  })
  test('an empty service name is ignored', () => {
    expect(from({}, { 'service.name': '' })).toMatchObject({
      serviceName: undefined,
      attributes: { 'service.name': 'unknown_service:node' },
    })
  })
})

// Requirements: RES1, ENV11
describe('OTEL_RESOURCE_ATTRIBUTES', () => {
  test.each([
    ['a=1', { a: '1' }],
    [' a = 1 , b = 2 ', { a: '1', b: '2' }],
    ['a=', { a: '' }],
    ['a=x%2Cy%3Dz%20%C3%BC', { a: 'x,y=z ü' }],
    ['a%2Cb=1', { 'a,b': '1' }],
    ['a=1,a=2', { a: '2' }],
    ['__proto__=1', JSON.parse('{"__proto__":"1"}') as object],
  ])('the list %j is parsed', (text, attributes) => {
    const { problems, ...resource } = from({ OTEL_RESOURCE_ATTRIBUTES: text })
    expect(Object.entries(resource.attributes)).toEqual(expect.arrayContaining(Object.entries(attributes)))
    expect(problems).toEqual([])
  })

  test.each(['a', 'good=1,a', 'good=1,', 'good=1,=2', 'good=1,a=b=c', 'good=1,a=%', 'good=1,a=%zz', 'good=1,a=%C3'])(
    'the invalid list %j is discarded as a whole and reported',
    (text) => {
      const { attributes, problems } = from({ OTEL_RESOURCE_ATTRIBUTES: text })
      expect(attributes).toEqual({ ...sdk, 'service.name': 'unknown_service:node' })
      expect(problems).toEqual([
        { code: 'SLUICE_ENV_INVALID', message: expect.stringMatching(/^OTEL_RESOURCE_ATTRIBUTES must be a list/) },
      ])
    },
  )

  test('an invalid list is reported once', () => {
    expect(from({ OTEL_RESOURCE_ATTRIBUTES: 'twice' }).problems).toHaveLength(1)
    expect(from({ OTEL_RESOURCE_ATTRIBUTES: 'twice' }).problems).toHaveLength(0)
  })
})
