import { expect, test } from '@jest/globals'
import { redactedAttributes, redactedResource, redactedScope } from '../../../src/encode/walk/redacted-source.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { compileRedaction } from '../../../src/redact/redact.ts'

const { patterns } = compileRedaction({ patterns: ['email'] }, 'redact', [])
const mail = 'bob@example.com'

test('matches of a pattern are redacted in a scope and a resource, at any depth of their attributes', () => {
  const attributes = new Map([['a', new Map([[mail, [mail]]])]])
  const scope = { ...emptyScopeDetails, name: `of ${mail}`, version: mail, schemaUrl: `https://${mail}/`, attributes }
  const resource = { attributes, serviceName: mail, schemaUrl: mail }
  const clean = new Map([['a', new Map([['[REDACTED]', ['[REDACTED]']]])]])
  expect(redactedScope(scope, patterns)).toEqual({
    ...emptyScopeDetails,
    name: 'of [REDACTED]',
    version: '[REDACTED]',
    schemaUrl: 'https://[REDACTED]/',
    attributes: clean,
  })
  expect(redactedResource(resource, patterns)).toEqual({
    attributes: clean,
    serviceName: '[REDACTED]',
    schemaUrl: '[REDACTED]',
  })
})

test('scope and resource stay the same objects without patterns, because records are grouped by them', () => {
  const scope = { ...emptyScopeDetails, name: mail, version: undefined }
  const resource = { attributes: new Map(), serviceName: mail, schemaUrl: undefined }
  expect(redactedScope(scope, undefined)).toBe(scope)
  expect(redactedResource(resource, undefined)).toBe(resource)
})

test('cached redacted attributes do not depend on the patterns of an earlier call', () => {
  const attributes = { a: { [mail]: 1 } }
  const clean = new Map([['a', new Map([['[REDACTED]', 1]])]])
  const original = new Map([['a', new Map([[mail, 1]])]])
  expect(redactedAttributes(attributes, undefined)).toEqual(original)
  expect(redactedAttributes(attributes, patterns)).toEqual(clean)
  expect(redactedAttributes(attributes, undefined)).toEqual(original)
})
