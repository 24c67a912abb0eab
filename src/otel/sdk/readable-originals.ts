import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import type { OtelResource, OtelScope } from '../api/types.ts'

/**
 * The scopes and resources in the form of an SDK, by those of this package: the SDK's originals that these were converted from, or copies
 * of those that this package created.
 */
const scopes = new WeakMap<Scope, OtelScope>()
const resources = new WeakMap<Resource, OtelResource>()

/** Stores the scope of the SDK that a scope was converted from: SDK exporters group records by the identity of the scope. */
export function storeSdkScope(scope: Scope, original: OtelScope): void {
  scopes.set(scope, original)
}

/** Stores the resource of the SDK that a resource was converted from. */
export function storeSdkResource(resource: Resource, original: OtelResource): void {
  resources.set(resource, original)
}

/** Converts a scope to the form of an SDK. Returns the stored one, else a copy, which is the same object in each call. */
export function toSdkScope(scope: Scope): OtelScope {
  let sdkForm = scopes.get(scope)
  if (sdkForm === undefined) {
    const { name = '', version, schemaUrl, attributes, droppedAttributes } = scope
    sdkForm = {
      name,
      ...(version === undefined ? {} : { version }),
      ...(schemaUrl === undefined ? {} : { schemaUrl }),
      ...(attributes === undefined ? {} : { attributes: plainMembers(attributes) }),
      ...(droppedAttributes === undefined ? {} : { droppedAttributesCount: droppedAttributes }),
    }
    scopes.set(scope, sdkForm)
  }
  return sdkForm
}

/** Converts a resource to the form of an SDK. Returns the stored one, else a copy, which is the same object in each call. */
export function toSdkResource(resource: Resource): OtelResource {
  let sdkForm = resources.get(resource)
  if (sdkForm === undefined) {
    let converted: { readonly source: AnyValueMap; readonly attributes: object } | undefined
    sdkForm = {
      // A getter, because attributes may be added later.
      get attributes() {
        if (converted?.source !== resource.attributes)
          converted = { source: resource.attributes, attributes: plainMembers(resource.attributes) }
        return converted.attributes
      },
      ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
      asyncAttributesPending: false,
      waitForAsyncAttributes: async () => {},
    }
    resources.set(resource, sdkForm)
  }
  return sdkForm
}

function plainMembers(members: AnyValueMap): object {
  // `fromEntries` defines members and does not assign them, so `__proto__` is an ordinary key.
  return Object.fromEntries(Array.from(members, ([key, value]) => [key, plainValue(value)]))
}

/** Converts a value to plain data. A BigInt becomes text, because OpenTelemetry's serializers do not support it. */
function plainValue(value: AnyValue): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return plainMembers(value as AnyValueMap)
  return Array.isArray(value) ? value.map(plainValue) : value
}
