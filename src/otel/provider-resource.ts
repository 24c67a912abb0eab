import { redactedResource } from '../encode/redacted-source.ts'
import type { TextPatterns } from '../rules/patterns/text-patterns.ts'
import { plainRules } from '../encode/plain.ts'
import { Resolver } from '../encode/resolve.ts'
import { member } from '../record/member.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import type { OnProblem } from '../record/problems.ts'
import type { Resource } from '../record/record.ts'
import { resourceFrom, type ResourceAttributes } from '../runtime/resource.ts'
import { Settlement } from './provider-settlement.ts'
import type { OtelResource } from './types.ts'

/** Finds attributes of the resource, at once or later: a detector of `@opentelemetry/resources`, of any version. */
export interface ResourceDetector {
  /** A resource whose attributes may be promises, or a promise of one. What throws or rejects costs its attributes alone. */
  detect(config?: object): unknown
}

/** What a provider's resource is made of. */
export interface ResourceSettings {
  /** Attributes, or a resource of `@opentelemetry/resources`. */
  readonly resource?: ResourceAttributes | OtelResource | undefined
  /** Asked in order; a later one wins. */
  readonly detectors?: readonly ResourceDetector[] | undefined
  /** How long pending attributes are waited for, in ms. */
  readonly resourceTimeoutMillis: number
}

/** A resource, and when it is complete. */
export interface SettlingResource {
  /** The object stays the same when attributes that came later are put into it: records are grouped by its identity. */
  readonly resource: Resource
  readonly settlement: Settlement
}

/**
 * The resource of a provider: what code says, over the environment, over the detectors (RES1). Attributes that are promises
 * are put into it together, once all are there or the time is over (D14); `changed` is called then. What is missing by then
 * is told, and left out for good, since a resource that changes again would be another. What `patterns` find is not in it. Never
 * throws.
 */
export function settlingResource(
  { resource: given, detectors = [], resourceTimeoutMillis }: ResourceSettings,
  tell: OnProblem,
  changed: () => void,
  patterns?: TextPatterns,
): SettlingResource {
  const failed = (name: string) =>
    tell({
      code: 'SLUICE_DETECTOR_FAILED',
      message: `the resource detector ${name} failed; its attributes are left out`,
    })
  const own = isResource(given) ? partOf(given, () => failed('resource')) : undefined
  const found = detectors.map((detector) => detectedPart(detector, failed))

  const make = (): Resource => {
    const attributes = own === undefined ? (given as ResourceAttributes | undefined) : dataOf([own])
    const schemaUrl = schemaUrlOf(own === undefined ? found : [own, ...found])
    return redactedResource({ ...resourceFrom(attributes, tell, undefined, dataOf(found)), schemaUrl }, patterns)
  }
  const resource = make()
  const pending = [...(own === undefined ? [] : [own]), ...found].flatMap((part) => part.pending)
  const settlement = new Settlement(pending, resourceTimeoutMillis, (complete) => {
    if (!complete) {
      const message = 'attributes of the resource were not there in time; records are exported without them'
      tell({ code: 'SLUICE_RESOURCE_PENDING', message })
    }
    Object.assign(resource, make())
    changed()
  })
  return { resource, settlement }
}

/** What one detector has found so far. */
interface Part {
  readonly values: Map<string, unknown>
  schemaUrl: string | undefined
  readonly pending: Promise<unknown>[]
}

function detectedPart(detector: ResourceDetector, failed: (name: string) => void): Part {
  const fail = () => failed(nameOf(detector))
  try {
    const found = detector.detect({})
    if (!isThenable(found)) return partOf(found, fail)
    const part = emptyPart()
    part.pending.push(readLate(part, found, fail))
    return part
  } catch {
    fail()
    return emptyPart()
  }
}

async function readLate(part: Part, found: PromiseLike<unknown>, fail: () => void): Promise<void> {
  try {
    const { values, schemaUrl, pending } = partOf(await found, fail)
    await Promise.all(pending)
    part.schemaUrl = schemaUrl
    for (const [key, value] of values) part.values.set(key, value)
  } catch {
    fail()
  }
}

function partOf(found: unknown, fail: () => void): Part {
  const part = emptyPart()
  try {
    if (isResource(found)) readInto(part, found, fail)
  } catch {
    fail()
  }
  return part
}

function readInto(part: Part, found: OtelResource, fail: () => void): void {
  const { schemaUrl } = found
  if (typeof schemaUrl === 'string') part.schemaUrl = schemaUrl
  // Such a resource complains when its attributes are read before they are there.
  if (found.asyncAttributesPending === true && typeof found.waitForAsyncAttributes === 'function') {
    const read = () => {
      for (const [key, value] of Object.entries(found.attributes)) part.values.set(key, value)
    }
    part.pending.push(Promise.resolve(found.waitForAsyncAttributes()).then(read).catch(fail))
    return
  }
  for (const [key, value] of Object.entries(found.attributes) as [string, unknown][]) {
    if (!isThenable(value)) part.values.set(key, value)
    else part.pending.push(Promise.resolve(value).then((late) => void part.values.set(key, late), fail))
  }
}

const emptyPart = (): Part => ({ values: new Map(), schemaUrl: undefined, pending: [] })

/** The values as data, a later part's over an earlier one's. No limit holds for them (LIM7). */
function dataOf(parts: readonly Part[]): AnyValueMap {
  const all = new Map<string, unknown>()
  for (const { values } of parts) for (const [key, value] of values) if (value !== undefined) all.set(key, value)
  return new Resolver(plainRules).resolve(all).attributes
}

/** The one that they agree upon; where they do not, there is none (resource SDK, merge). */
function schemaUrlOf(parts: readonly Part[]): string | undefined {
  const urls = new Set(parts.map(({ schemaUrl }) => schemaUrl ?? '').filter((url) => url !== ''))
  return urls.size === 1 ? [...urls][0] : undefined
}

/** Attributes cannot be objects, so what has an object in this place is a resource. */
export function isResource(value: unknown): value is OtelResource {
  if (typeof value !== 'object' || value === null) return false
  const attributes = member(value as { attributes?: unknown }, 'attributes')
  return typeof attributes === 'object' && attributes !== null
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

function nameOf(detector: ResourceDetector): string {
  try {
    const { name } = detector.constructor
    return /^\w{1,64}$/.test(name) ? name : 'given'
  } catch {
    return 'given'
  }
}
