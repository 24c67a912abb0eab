import { redactedAttributes, redactedResource, redactedScope } from '../../encode/walk/redacted-source.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { isPolluted, member, membersOf } from '../../options/own-members.ts'
import { BoundState, originOf } from '../../record/bound.ts'
import { nothingMore, type Resource, type Scope } from '../../record/record.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { sdkVersion } from '../../record/sdk.ts'
import { droppedCount } from '../api/field-values.ts'
import { keepResource, keepScope } from './readable-originals.ts'
import { isPending, watchAttributes, type WatchedAttributes } from '../provider/resource-attributes.ts'
import { ResourceReadiness } from '../provider/resource-readiness.ts'
import type { OtelResource, OtelScope, ReadableLogRecord } from '../api/types.ts'
import { addMembers } from '../../options/define-member.ts'

/** How long exports wait for what a resource finds out by itself, in ms, since its first record (D14). */
const patienceMillis = 5_000

/**
 * Our sources for the scopes and resources of an SDK, by identity. They are held weakly: what an SDK forgets is forgotten
 * here.
 *
 * A resource may have attributes that are still pending (host, cloud) when the first records come. Each time one of them
 * settles, the resource of the earlier records is completed in place, and later records get a new one, because encoders keep
 * by identity what they have rendered.
 */
export class ReadableSources {
  /** Who tells losses: the resource is the one that was seen first. */
  readonly own: BoundState
  /** Of the resources that exports still wait for. */
  readonly settlements: Set<ResourceReadiness> = new Set()
  private readonly ownResource: Mutable<Resource> = {
    attributes: new Map(),
    serviceName: undefined,
    schemaUrl: undefined,
  }
  private ownOriginal: OtelResource | undefined
  private readonly known = new WeakMap<OtelResource, KnownResource>()
  private readonly scopes = new WeakMap<OtelScope, Scope>()
  // Records come in runs from one scope.
  private lastResource: OtelResource | undefined
  private lastScope: OtelScope | undefined
  private lastBound: BoundState | undefined
  /** What they must not say. */
  private readonly patterns: TextPatterns | undefined

  constructor(patterns: TextPatterns | undefined) {
    this.patterns = patterns
    this.own = boundOf({ ...nothingMore, name: 'sluice', version: sdkVersion }, this.ownResource)
  }

  /** Who speaks in a record. Throws what reading the record throws. */
  of(record: ReadableLogRecord): BoundState {
    const sources = isPolluted() ? membersOf(record, ['resource', 'instrumentationScope']) : record
    const { resource, instrumentationScope } = sources as ReadableLogRecord
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

  private find(resource: OtelResource, scope: OtelScope): BoundState {
    const known = this.known.get(resource) ?? this.learn(resource)
    let bound = known.bounds.get(scope)
    if (bound === undefined) {
      bound = boundOf(this.scopeOf(scope), known.current)
      known.bounds.set(scope, bound)
    }
    return bound
  }

  private learn(original: OtelResource): KnownResource {
    const watched = isPending(original) ? this.watch(original) : undefined
    const current = this.resourceOf(original, watched)
    const known: KnownResource = { watched, current, earlier: [], bounds: new WeakMap(), awaited: undefined }
    this.known.set(original, known)
    this.ownOriginal ??= original
    this.adopt(original, known)
    if (watched?.settled !== undefined) this.await(known, watched.settled)
    return known
  }

  /** undefined where it cannot be read. */
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
    const settlement = new ResourceReadiness([complete()], patienceMillis, () => this.settlements.delete(settlement))
    this.settlements.add(settlement)
    known.awaited = settlement
    pending.set(known.current, settlement)
  }

  /** More is known of a resource. */
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
    this.adopt(original, known)
    this.lastResource = undefined
  }

  /** Links a resource with its original, and makes it that of loss notices where it is the first one. */
  private adopt(original: OtelResource, { current }: KnownResource): void {
    const isOwn = original === this.ownOriginal
    if (isOwn) addMembers(this.ownResource, current)
    // Whoever gets the original back gets all that it says.
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
    if (this.patterns === undefined) keepScope(scope, original)
    return scope
  }
}

/** When a resource will be complete; undefined when it is, or nobody waits any more. */
export function pendingResource(resource: Resource): ResourceReadiness | undefined {
  const settlement = pending.get(resource)
  return settlement?.isOver === false ? settlement : undefined
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface KnownResource {
  /** undefined when it was complete from the beginning. */
  readonly watched: WatchedAttributes | undefined
  /** That of the next record. */
  current: Mutable<Resource>
  /** Those of earlier records, while more may become known. */
  readonly earlier: Mutable<Resource>[]
  bounds: WeakMap<OtelScope, BoundState>
  awaited: ResourceReadiness | undefined
}

const pending = new WeakMap<Resource, ResourceReadiness>()
const nobody: OtelResource = { attributes: {} }
const nowhere: OtelScope = { name: '' }

function boundOf(scope: Scope, resource: Resource): BoundState {
  return BoundState.of(originOf({ scope, resource }))
}

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
    return new Map() // a resource or a scope of somebody's own
  }
}

/** The limits of records do not hold for a resource (LIM7), nor do paths and keys of redaction. */
function dataOf(attributes: object): AnyValueMap {
  return redactedAttributes(attributes, undefined)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
