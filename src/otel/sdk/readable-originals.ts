import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import type { OtelResource, OtelScope } from '../api/types.ts'

const scopes = new WeakMap<Scope, OtelScope>()
const resources = new WeakMap<Resource, OtelResource>()

/** Stores the SDK's scope of a converted scope, because SDK exporters group records by the identity of their scope. */
export function keepScope(scope: Scope, original: OtelScope): void {
  scopes.set(scope, original)
}

/** Stores the SDK's resource of a converted resource. */
export function keepResource(resource: Resource, original: OtelResource): void {
  resources.set(resource, original)
}

/** Returns the scope in the form of an SDK: the original if there is one, else a copy that is the same on each call. */
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

/** Returns the resource in the form of an SDK: the original if there is one, else a copy that is the same on each call. */
export function resourceFor(resource: Resource): OtelResource {
  let original = resources.get(resource)
  if (original === undefined) {
    let rendered: { readonly of: AnyValueMap; readonly attributes: object } | undefined
    original = {
      // Attributes may be added later.
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
  // fromEntries defines members, so `__proto__` is an ordinary key.
  return Object.fromEntries(Array.from(members, ([key, value]) => [key, plainValue(value)]))
}

/** Converts a value to plain data. A BigInt becomes text, because OpenTelemetry's serializers do not support it. */
function plainValue(value: AnyValue): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return plainMembers(value as AnyValueMap)
  return Array.isArray(value) ? value.map(plainValue) : value
}
