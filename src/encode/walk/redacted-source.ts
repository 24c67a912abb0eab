import type { AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/record.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainRules } from '../plain.ts'
import { Resolver } from './resolve.ts'
import { noRules } from './walk.ts'

/** A scope without what patterns find. Paths and keys are about attributes of records, and do not hold for it. */
export function redactedScope(scope: Scope, patterns: TextPatterns | undefined): Scope {
  if (patterns === undefined) return scope
  const { name, version, schemaUrl, attributes } = scope
  return {
    ...scope,
    name: name && patterns.redacted(name),
    version: version && patterns.redacted(version),
    schemaUrl: schemaUrl && patterns.redacted(schemaUrl),
    attributes: attributes && redactedAttributes(attributes, patterns),
  }
}

/** The same of a resource. */
export function redactedResource(resource: Resource, patterns: TextPatterns | undefined): Resource {
  if (patterns === undefined) return resource
  const { serviceName, schemaUrl, attributes } = resource
  return {
    ...resource,
    serviceName: serviceName && patterns.redacted(serviceName),
    schemaUrl: schemaUrl && patterns.redacted(schemaUrl),
    attributes: redactedAttributes(attributes, patterns),
  }
}

/** Data of a scope or a resource without what patterns find. */
export function redactedAttributes(attributes: object, patterns: TextPatterns | undefined): AnyValueMap {
  const redaction = { root: noRules, patterns, credentialHeaders: false }
  return new Resolver({ ...plainRules, redaction }).resolve(attributes).attributes
}
