import { redactedAttributes, redactedResource, redactedScope } from '../encode/redacted-source.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import { member } from '../record/member.ts'
import { nothingMore, type Bound, type Resource, type Scope } from '../record/record.ts'
import type { TextPatterns } from '../rules/patterns/text-patterns.ts'
import { monotonic } from '../runtime/end-of-turn.ts'
import { sdkVersion } from '../record/sdk.ts'
import { droppedCount } from './field-values.ts'
import { keepResource, keepScope } from './readable-originals.ts'
import type { OtelResource, OtelScope, ReadableLogRecord } from './types.ts'

/** A resource that does not know all of itself yet. */
export interface PendingResource {
  /** It knows, or never will. Never rejects. */
  readonly settled: Promise<void>
  /** How long to wait for it, in ms of `monotonic()`. */
  readonly until: number
}

/** How long exports wait for what a resource finds out by itself, in ms, since its first record (D14). */
const patienceMillis = 5_000

/**
 * Our sources for the scopes and resources of an SDK, by identity. They are held weakly: what an SDK forgets is forgotten
 * here.
 *
 * A resource may still be finding out about itself (host, cloud) when the first records come. These get a resource of their
 * own, which is completed in place as soon as that is over; later records get a new one, because what has been rendered is
 * kept by identity.
 */
export class ReadableSources {
  /** Who tells losses: the resource is the one that was seen first. */
  readonly own: Bound
  private readonly ownResource: Mutable<Resource> = { attributes: new Map(), serviceName: undefined }
  private ownOriginal: OtelResource | undefined
  private readonly known = new WeakMap<OtelResource, KnownResource>()
  private readonly scopes = new WeakMap<OtelScope, Scope>()
  // Records come in runs from one scope.
  private lastResource: OtelResource | undefined
  private lastScope: OtelScope | undefined
  private lastBound: Bound | undefined
  /** What they must not say. */
  private readonly patterns: TextPatterns | undefined

  constructor(patterns: TextPatterns | undefined) {
    this.patterns = patterns
    this.own = boundOf({ name: 'sluice', version: sdkVersion }, this.ownResource)
  }

  /** Who speaks in a record. Throws what reading the record throws. */
  of({ resource, instrumentationScope }: ReadableLogRecord): Bound {
    if (resource !== this.lastResource || instrumentationScope !== this.lastScope) {
      this.lastBound = this.find(
        isObject(resource) ? resource : nobody,
        isObject(instrumentationScope) ? instrumentationScope : nowhere,
      )
      this.lastResource = resource
      this.lastScope = instrumentationScope
    }
    return this.lastBound!
  }

  private find(resource: OtelResource, scope: OtelScope): Bound {
    const known = this.known.get(resource) ?? this.learn(resource)
    let bound = known.bounds.get(scope)
    if (bound === undefined) {
      bound = boundOf(this.scopeOf(scope), known.resource)
      known.bounds.set(scope, bound)
    }
    return bound
  }

  private learn(original: OtelResource): KnownResource {
    const resource: Mutable<Resource> = this.resourceOf(original)
    const known = { resource, bounds: new WeakMap<OtelScope, Bound>() }
    this.known.set(original, known)
    // Whoever gets the original back gets all that it says.
    if (this.patterns === undefined) keepResource(resource, original)
    this.ownOriginal ??= original
    this.tellOwn(original, resource)
    if (isPending(original)) this.await(original, resource)
    return known
  }

  private await(original: OtelResource, resource: Mutable<Resource>): void {
    const complete = () => {
      pending.delete(resource)
      Object.assign(resource, this.resourceOf(original))
      this.tellOwn(original, resource)
      this.known.delete(original)
      this.lastResource = undefined
    }
    pending.set(resource, { settled: whenSettled(original, complete), until: monotonic() + patienceMillis })
  }

  private tellOwn(original: OtelResource, resource: Resource): void {
    if (original !== this.ownOriginal) return
    Object.assign(this.ownResource, resource)
    if (this.patterns === undefined) keepResource(this.ownResource, original)
  }

  private resourceOf(original: OtelResource): Resource {
    return redactedResource(resourceOf(original), this.patterns)
  }

  private scopeOf(original: OtelScope): Scope {
    const known = this.scopes.get(original)
    if (known !== undefined) return known
    const read = (key: 'name' | 'version' | 'schemaUrl') => member(original, key)
    const droppedAttributesCount = member(original as { droppedAttributesCount?: unknown }, 'droppedAttributesCount')
    const attributes = attributesOf(original)
    const said: Scope = {
      ...nothingMore,
      name: textOf(read('name')),
      version: textOf(read('version')),
      schemaUrl: textOf(read('schemaUrl')),
      ...(attributes.size === 0 ? {} : { attributes }),
      ...(droppedAttributesCount === undefined ? {} : { droppedAttributes: droppedCount(droppedAttributesCount) }),
    }
    const scope = redactedScope(said, this.patterns)
    this.scopes.set(original, scope)
    keepScope(scope, original)
    return scope
  }
}

/** What is still to come of a resource; undefined when it is complete, or nobody waits any more. */
export function pendingResource(resource: Resource): PendingResource | undefined {
  return pending.get(resource)
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface KnownResource {
  readonly resource: Resource
  readonly bounds: WeakMap<OtelScope, Bound>
}

const pending = new WeakMap<Resource, PendingResource>()
const nobody: OtelResource = { attributes: {} }
const nowhere: OtelScope = { name: '' }

function boundOf(scope: Scope, resource: Resource): Bound {
  return {
    scope,
    resource,
    attributes: new Map(),
    droppedAttributes: 0,
    messagePrefix: '',
    rendered: { by: undefined, value: undefined },
  }
}

function resourceOf(original: OtelResource): Resource {
  const attributes = attributesOf(original)
  const name = attributes.get('service.name')
  const isNamed = typeof name === 'string' && name !== '' && !name.startsWith('unknown_service')
  return { attributes, serviceName: isNamed ? name : undefined, schemaUrl: textOf(member(original, 'schemaUrl')) }
}

function attributesOf(original: OtelResource | OtelScope): AnyValueMap {
  try {
    // The limits of records do not hold for a resource (LIM7), nor do paths and keys of redaction.
    return redactedAttributes(
      isPending(original) ? settledAttributes(original) : (original.attributes ?? {}),
      undefined,
    )
  } catch {
    return new Map() // a resource or a scope of somebody's own
  }
}

function isPending(original: OtelResource | OtelScope): original is OtelResource {
  return (original as Partial<OtelResource>).asyncAttributesPending === true
}

/** `attributes` complains to the diagnostics of the SDK when it is read too early. */
function settledAttributes(original: OtelResource): object {
  const { getRawAttributes } = original as { getRawAttributes?(): readonly (readonly [string, unknown])[] }
  if (typeof getRawAttributes !== 'function') return original.attributes
  return new Map(getRawAttributes.call(original).filter(([, value]) => !(value instanceof Promise)))
}

async function whenSettled(original: OtelResource, complete: () => void): Promise<void> {
  try {
    await original.waitForAsyncAttributes?.()
  } catch {
    // what it could not find out it does not say
  }
  complete()
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
