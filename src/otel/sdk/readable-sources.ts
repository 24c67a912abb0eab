import { redactedAttributes, redactedResource, redactedScope } from '../../encode/walk/redacted-source.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { isPolluted, member, membersOf } from '../../options/own-members.ts'
import { BoundState } from '../../record/bound.ts'
import { emptyScopeDetails, type Resource, type Scope } from '../../record/instrumentation-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { sdkVersion } from '../../record/sdk.ts'
import { droppedCount } from '../api/field-values.ts'
import { keepResource, keepScope } from './readable-originals.ts'
import { isPending, watchAttributes, type WatchedAttributes } from '../provider/resource-attributes.ts'
import { ResourceReadiness } from '../provider/resource-readiness.ts'
import type { OtelResource, OtelScope, ReadableLogRecord } from '../api/types.ts'
import { addMembers } from '../../options/define-member.ts'

/** The maximum time that exports wait for pending resource attributes, in ms, starting at the resource's first record (D14). */
const maxWaitMillis = 5_000

/**
 * Converts the scopes and resources of an SDK, and caches the results by identity. They are held weakly, so they are garbage
 * collected with the SDK's objects.
 *
 * A resource may still have pending attributes (host, cloud) when its first records arrive. Each time one of them resolves, the
 * resource of the earlier records is updated in place, and later records get a new one, because encoders cache what they have
 * serialized by identity.
 */
export class ReadableSources {
  /** The scope and resource of loss reports. The resource is the first one that was seen. */
  readonly own: BoundState
  /** The readiness of the resources that exports still wait for. */
  readonly resourceWaits: Set<ResourceReadiness> = new Set()
  private readonly ownResource: Mutable<Resource> = {
    attributes: new Map(),
    serviceName: undefined,
    schemaUrl: undefined,
  }
  private ownOriginal: OtelResource | undefined
  private readonly known = new WeakMap<OtelResource, KnownResource>()
  private readonly scopes = new WeakMap<OtelScope, Scope>()
  // Consecutive records often have the same scope, so the last one is cached.
  private lastResource: OtelResource | undefined
  private lastScope: OtelScope | undefined
  private lastBound: BoundState | undefined
  /** The redaction patterns for text in scopes and resources. */
  private readonly patterns: TextPatterns | undefined

  constructor(patterns: TextPatterns | undefined) {
    this.patterns = patterns
    const scope = { ...emptyScopeDetails, name: 'sluice', version: sdkVersion }
    this.own = BoundState.ofSource({ scope, resource: this.ownResource })
  }

  /** Returns the scope and resource of a record. Throws when reading the record throws. */
  of(record: ReadableLogRecord): BoundState {
    const sources = isPolluted() ? membersOf(record, ['resource', 'instrumentationScope']) : record
    const { resource, instrumentationScope } = sources as ReadableLogRecord
    if (resource !== this.lastResource || instrumentationScope !== this.lastScope) {
      this.lastBound = this.find(
        isObject(resource) ? resource : emptyResource,
        isObject(instrumentationScope) ? instrumentationScope : emptyScope,
      )
      this.lastResource = resource
      this.lastScope = instrumentationScope
    }
    return this.lastBound!
  }

  private find(resource: OtelResource, scope: OtelScope): BoundState {
    const known = this.known.get(resource) ?? this.addResource(resource)
    let bound = known.bounds.get(scope)
    if (bound === undefined) {
      bound = BoundState.ofSource({ scope: this.scopeOf(scope), resource: known.current })
      known.bounds.set(scope, bound)
    }
    return bound
  }

  private addResource(original: OtelResource): KnownResource {
    const watched = isPending(original) ? this.watch(original) : undefined
    const current = this.resourceOf(original, watched)
    const known: KnownResource = { watched, current, earlier: [], bounds: new WeakMap(), awaited: undefined }
    this.known.set(original, known)
    this.ownOriginal ??= original
    this.linkOriginal(original, known)
    if (watched?.settled !== undefined) this.await(known, watched.settled)
    return known
  }

  /** Watches the pending attributes of a resource; undefined when they cannot be read. */
  private watch(original: OtelResource): WatchedAttributes | undefined {
    try {
      return watchAttributes(original, () => this.update(original))
    } catch {
      return undefined
    }
  }

  private await(known: KnownResource, settled: Promise<void>): void {
    const complete = async () => {
      await settled
      for (const resource of [known.current, ...known.earlier.splice(0)]) pending.delete(resource)
      known.awaited = undefined
    }
    const resourceReadiness = new ResourceReadiness([complete()], maxWaitMillis, () =>
      this.resourceWaits.delete(resourceReadiness),
    )
    this.resourceWaits.add(resourceReadiness)
    known.awaited = resourceReadiness
    pending.set(known.current, resourceReadiness)
  }

  /** Updates a resource after an attribute was resolved. */
  private update(original: OtelResource): void {
    const known = this.known.get(original)
    if (known === undefined) return
    const { current, earlier, awaited } = known
    const resource = this.resourceOf(original, known.watched)
    earlier.push(current)
    for (const one of earlier) addMembers(one, resource)
    known.current = resource
    known.bounds = new WeakMap()
    if (awaited !== undefined) pending.set(resource, awaited)
    this.linkOriginal(original, known)
    this.lastResource = undefined
  }

  /** Links a resource to its original. The first resource is also used for loss reports. */
  private linkOriginal(original: OtelResource, { current }: KnownResource): void {
    const isOwn = original === this.ownOriginal
    if (isOwn) addMembers(this.ownResource, current)
    // Do not return the original when there are patterns, because it is not redacted.
    if (this.patterns !== undefined) return
    keepResource(current, original)
    if (isOwn) keepResource(this.ownResource, original)
  }

  private resourceOf(original: OtelResource, watched: WatchedAttributes | undefined): Mutable<Resource> {
    return redactedResource(resourceOf(original, watched), this.patterns)
  }

  private scopeOf(original: OtelScope): Scope {
    const known = this.scopes.get(original)
    if (known !== undefined) return known
    const read = (key: 'name' | 'version' | 'schemaUrl') => member(original, key)
    const droppedAttributesCount = member(original as { droppedAttributesCount?: unknown }, 'droppedAttributesCount')
    const attributes = attributesOf(original)
    const converted: Scope = {
      ...emptyScopeDetails,
      name: textOf(read('name')),
      version: textOf(read('version')),
      schemaUrl: textOf(read('schemaUrl')),
      ...(attributes.size === 0 ? {} : { attributes }),
      ...(droppedAttributesCount === undefined ? {} : { droppedAttributes: droppedCount(droppedAttributesCount) }),
    }
    const scope = redactedScope(converted, this.patterns)
    this.scopes.set(original, scope)
    if (this.patterns === undefined) keepScope(scope, original)
    return scope
  }
}

/** Returns the readiness of a resource that exports still wait for; undefined when it is complete or the wait is over. */
export function pendingResource(resource: Resource): ResourceReadiness | undefined {
  const resourceReadiness = pending.get(resource)
  return resourceReadiness?.isOver === false ? resourceReadiness : undefined
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface KnownResource {
  /** undefined when the resource was complete from the start. */
  readonly watched: WatchedAttributes | undefined
  /** The resource for the next record. */
  current: Mutable<Resource>
  /** The resources of earlier records, kept while attributes are pending. */
  readonly earlier: Mutable<Resource>[]
  bounds: WeakMap<OtelScope, BoundState>
  awaited: ResourceReadiness | undefined
}

const pending = new WeakMap<Resource, ResourceReadiness>()
const emptyResource: OtelResource = { attributes: {} }
const emptyScope: OtelScope = { name: '' }

function resourceOf(original: OtelResource, watched: WatchedAttributes | undefined): Resource {
  const attributes = watched === undefined ? attributesOf(original) : dataOf(watched.current())
  const name = attributes.get('service.name')
  const isNamed = typeof name === 'string' && name !== '' && !name.startsWith('unknown_service')
  return { attributes, serviceName: isNamed ? name : undefined, schemaUrl: textOf(member(original, 'schemaUrl')) }
}

function attributesOf(original: OtelResource | OtelScope): AnyValueMap {
  try {
    return dataOf(member(original, 'attributes') ?? {})
  } catch {
    return new Map() // a custom resource or scope whose getter throws
  }
}

/** Converts attributes to data. Record limits do not apply to a resource (LIM7), nor do redaction paths and keys. */
function dataOf(attributes: object): AnyValueMap {
  return redactedAttributes(attributes, undefined)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
