import type { AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainRules } from '../plain-data.ts'
import { Resolver } from './resolve.ts'
import { noRules } from './walk.ts'

/** Returns a scope with pattern matches redacted. Rules for paths and keys apply only to attributes of records. */
export function redactedScope(scope: Scope, patterns: TextPatterns | undefined): Scope {
  if (patterns === undefined) return scope
  const { name, version, schemaUrl, attributes } = scope
  return {
    ...scope,
    name: name && patterns.redact(name),
    version: version && patterns.redact(version),
    schemaUrl: schemaUrl && patterns.redact(schemaUrl),
    attributes: attributes && redactedAttributes(attributes, patterns),
  }
}

/** Returns a resource with pattern matches redacted. */
export function redactedResource(resource: Resource, patterns: TextPatterns | undefined): Resource {
  if (patterns === undefined) return resource
  const { serviceName, schemaUrl, attributes } = resource
  return {
    ...resource,
    serviceName: serviceName && patterns.redact(serviceName),
    schemaUrl: schemaUrl && patterns.redact(schemaUrl),
    attributes: redactedAttributes(attributes, patterns),
  }
}

/** Returns the attributes of a scope or a resource with pattern matches redacted. */
export function redactedAttributes(attributes: object, patterns: TextPatterns | undefined): AnyValueMap {
  const redaction = { root: noRules, patterns, redactsCredentialHeaders: false }
  return new Resolver({ ...plainRules, redaction }).resolve(attributes).attributes
}
