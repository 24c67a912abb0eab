import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/record.ts'
import type { OtelResource, OtelScope } from '../api/types.ts'

const scopes = new WeakMap<Scope, OtelScope>()
const resources = new WeakMap<Resource, OtelResource>()

/** Remembers the scope of an SDK for which ours was made: exporters group records by the identity of theirs. */
export function keepScope(scope: Scope, original: OtelScope): void {
  scopes.set(scope, original)
}

/** Remembers the resource of an SDK for which ours was made. */
export function keepResource(resource: Resource, original: OtelResource): void {
  resources.set(resource, original)
}

/** The scope as an SDK has it: the original where there was one, else always the same copy. */
export function scopeFor(scope: Scope): OtelScope {
  let original = scopes.get(scope)
  if (original === undefined) {
    const { name = '', version, schemaUrl, attributes, droppedAttributes } = scope
    original = {
      name,
      ...(version === undefined ? {} : { version }),
      ...(schemaUrl === undefined ? {} : { schemaUrl }),
      ...(attributes === undefined ? {} : { attributes: plainMembers(attributes) }),
      ...(droppedAttributes === undefined ? {} : { droppedAttributesCount: droppedAttributes }),
    }
    scopes.set(scope, original)
  }
  return original
}

/** The resource as an SDK has it: the original where there was one, else always the same copy. */
export function resourceFor(resource: Resource): OtelResource {
  let original = resources.get(resource)
  if (original === undefined) {
    let rendered: { readonly of: AnyValueMap; readonly attributes: object } | undefined
    original = {
      // More of it may become known later.
      get attributes() {
        if (rendered?.of !== resource.attributes)
          rendered = { of: resource.attributes, attributes: plainMembers(resource.attributes) }
        return rendered.attributes
      },
      ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
      asyncAttributesPending: false,
      waitForAsyncAttributes: async () => {},
    }
    resources.set(resource, original)
  }
  return original
}

function plainMembers(members: AnyValueMap): object {
  // fromEntries defines members: `__proto__` is one like any other.
  return Object.fromEntries(Array.from(members, ([key, value]) => [key, plainValue(value)]))
}

/** No serializer of OpenTelemetry can carry a BigInt. */
function plainValue(value: AnyValue): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return plainMembers(value as AnyValueMap)
  return Array.isArray(value) ? value.map(plainValue) : value
}
