import { redactedAttributes, redactedResource, redactedScope } from '../../encode/walk/redacted-source.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { isObjectPrototypePolluted, member, membersOf } from '../../options/own-members.ts'
import { BoundState } from '../../record/bound.ts'
import { emptyScopeDetails, type Resource, type Scope } from '../../record/instrumentation-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { sdkVersion } from '../../record/sdk-version.ts'
import { validDroppedCount } from '../api/field-values.ts'
import { storeSdkResource, storeSdkScope } from './readable-originals.ts'
import { hasPendingAttributes, watchAttributes, type WatchedAttributes } from '../provider/resource-attributes.ts'
import { ResourceReadiness } from '../provider/resource-readiness.ts'
import type { OtelResource, OtelScope, ReadableLogRecord } from '../api/types.ts'
import { addMembers } from '../../options/define-member.ts'

/** The maximum time that exports wait for pending resource attributes, in ms, from the first record of the resource. */
const maxWaitMillis = 5_000

/**
 * Converts the scopes and resources of an SDK's records, and caches the results by the identity of the SDK's objects. The cache holds
 * them weakly.
 *
 * A resource may still have pending attributes (host, cloud) when its first records arrive. Each time one of them resolves, the
 * converted resource of the earlier records is updated in place. Later records get a new converted resource, because encoders cache
 * serialized resources by identity.
 */
export class SdkBoundStates {
  /** The scope and resource of drop reports. The resource is that of the first record. */
  readonly dropReportBound: BoundState
  /** The waits for pending resources that are not over. */
  readonly resourceWaits: Set<ResourceReadiness> = new Set()
  private readonly dropReportResource: Mutable<Resource> = {
    attributes: new Map(),
    serviceName: undefined,
    schemaUrl: undefined,
  }
  /** The SDK's resource of the first record. */
  private firstOriginal: OtelResource | undefined
  private readonly resources = new WeakMap<OtelResource, ConvertedResource>()
  private readonly scopes = new WeakMap<OtelScope, Scope>()
  // Consecutive records often have the same resource and scope, so the last result is cached.
  private lastResource: OtelResource | undefined
  private lastScope: OtelScope | undefined
  private lastBound: BoundState | undefined
  /** The redaction patterns for text in scopes and resources. */
  private readonly patterns: TextPatterns | undefined

  constructor(patterns: TextPatterns | undefined) {
    this.patterns = patterns
    const scope = { ...emptyScopeDetails, name: 'sluice', version: sdkVersion }
    this.dropReportBound = BoundState.ofSource({ scope, resource: this.dropReportResource })
  }

  /** Returns the scope and resource of a record. Throws when reading the record throws. */
  of(record: ReadableLogRecord): BoundState {
    const source = isObjectPrototypePolluted() ? membersOf(record, ['resource', 'instrumentationScope']) : record
    const { resource, instrumentationScope } = source as ReadableLogRecord
    if (resource !== this.lastResource || instrumentationScope !== this.lastScope) {
      this.lastBound = this.boundOf(
        isObject(resource) ? resource : emptyResource,
        isObject(instrumentationScope) ? instrumentationScope : emptyScope,
      )
      this.lastResource = resource
      this.lastScope = instrumentationScope
    }
    return this.lastBound!
  }

  private boundOf(resource: OtelResource, scope: OtelScope): BoundState {
    const converted = this.resources.get(resource) ?? this.addResource(resource)
    let bound = converted.boundStates.get(scope)
    if (bound === undefined) {
      bound = BoundState.ofSource({ scope: this.scopeOf(scope), resource: converted.current })
      converted.boundStates.set(scope, bound)
    }
    return bound
  }

  private addResource(original: OtelResource): ConvertedResource {
    const watched = hasPendingAttributes(original) ? this.watch(original) : undefined
    const current = this.resourceOf(original, watched)
    const converted: ConvertedResource = {
      watched,
      current,
      earlierResources: [],
      boundStates: new WeakMap(),
      resourceWait: undefined,
    }
    this.resources.set(original, converted)
    this.firstOriginal ??= original
    this.linkOriginal(original, converted)
    if (watched?.whenNonePending !== undefined) this.startWait(converted, watched.whenNonePending)
    return converted
  }

  /** Watches the pending attributes of a resource; undefined when they cannot be read. */
  private watch(original: OtelResource): WatchedAttributes | undefined {
    try {
      return watchAttributes(original, () => this.update(original))
    } catch {
      return undefined
    }
  }

  /** Starts the wait of exports for a resource. */
  private startWait(converted: ConvertedResource, whenNonePending: Promise<void>): void {
    const complete = async () => {
      await whenNonePending
      for (const resource of [converted.current, ...converted.earlierResources.splice(0)])
        waitsByResource.delete(resource)
      converted.resourceWait = undefined
    }
    const resourceWait = new ResourceReadiness([complete()], maxWaitMillis, () =>
      this.resourceWaits.delete(resourceWait),
    )
    this.resourceWaits.add(resourceWait)
    converted.resourceWait = resourceWait
    waitsByResource.set(converted.current, resourceWait)
  }

  /** Updates a resource after an attribute was resolved. */
  private update(original: OtelResource): void {
    const converted = this.resources.get(original)
    if (converted === undefined) return
    const { current, earlierResources, resourceWait } = converted
    const updated = this.resourceOf(original, converted.watched)
    earlierResources.push(current)
    for (const resource of earlierResources) addMembers(resource, updated)
    converted.current = updated
    converted.boundStates = new WeakMap()
    if (resourceWait !== undefined) waitsByResource.set(updated, resourceWait)
    this.linkOriginal(original, converted)
    this.lastResource = undefined
  }

  /**
   * Stores the SDK's resource of a converted resource, unless there are redaction patterns. The first resource is also that of drop
   * reports.
   */
  private linkOriginal(original: OtelResource, { current }: ConvertedResource): void {
    const isFirst = original === this.firstOriginal
    if (isFirst) addMembers(this.dropReportResource, current)
    // With patterns, SDK exporters must not receive the original, because it is not redacted.
    if (this.patterns !== undefined) return
    storeSdkResource(current, original)
    if (isFirst) storeSdkResource(this.dropReportResource, original)
  }

  private resourceOf(original: OtelResource, watched: WatchedAttributes | undefined): Mutable<Resource> {
    return redactedResource(resourceOf(original, watched), this.patterns)
  }

  private scopeOf(original: OtelScope): Scope {
    const cached = this.scopes.get(original)
    if (cached !== undefined) return cached
    const read = (key: 'name' | 'version' | 'schemaUrl') => member(original, key)
    const droppedAttributesCount = member(original as { droppedAttributesCount?: unknown }, 'droppedAttributesCount')
    const attributes = attributesOf(original)
    const converted: Scope = {
      ...emptyScopeDetails,
      name: textOf(read('name')),
      version: textOf(read('version')),
      schemaUrl: textOf(read('schemaUrl')),
      ...(attributes.size === 0 ? {} : { attributes }),
      ...(droppedAttributesCount === undefined ? {} : { droppedAttributes: validDroppedCount(droppedAttributesCount) }),
    }
    const scope = redactedScope(converted, this.patterns)
    this.scopes.set(original, scope)
    if (this.patterns === undefined) storeSdkScope(scope, original)
    return scope
  }
}

/** Returns the wait for a resource; undefined if the resource is complete or the wait is over. */
export function resourceWaitOf(resource: Resource): ResourceReadiness | undefined {
  const resourceWait = waitsByResource.get(resource)
  return resourceWait?.isReady === false ? resourceWait : undefined
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A resource of an SDK, converted. */
interface ConvertedResource {
  /** The attributes of a resource that was not complete from the start; undefined if it was, or if they could not be read. */
  readonly watched: WatchedAttributes | undefined
  /** The converted resource for the next record. */
  current: Mutable<Resource>
  /** The converted resources of earlier records, while attributes are pending. */
  readonly earlierResources: Mutable<Resource>[]
  /** The bound states of records with this resource, by the SDK's scope. */
  boundStates: WeakMap<OtelScope, BoundState>
  /** The wait of exports for this resource; undefined if it is complete. */
  resourceWait: ResourceReadiness | undefined
}

/** The waits for converted resources that are not complete. */
const waitsByResource = new WeakMap<Resource, ResourceReadiness>()
const emptyResource: OtelResource = { attributes: {} }
const emptyScope: OtelScope = { name: '' }

/** Converts a resource of an SDK. */
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
    return new Map() // a getter of a custom resource or scope threw
  }
}

/** Converts attributes to data. Neither the limits of records nor redaction by path or key apply to resources and scopes. */
function dataOf(attributes: object): AnyValueMap {
  return redactedAttributes(attributes, undefined)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
