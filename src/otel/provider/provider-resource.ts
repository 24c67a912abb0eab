import { redactedResource } from '../../encode/walk/redacted-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainRules } from '../../encode/plain.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Resource } from '../../record/record.ts'
import type { Environment } from '../../platform/node/env.ts'
import { resourceFrom, type ResourceAttributes } from '../../platform/node/resource.ts'
import { isThenable, watchAttributes, type WatchedAttributes } from './resource-attributes.ts'
import { ResourceReadiness } from './resource-readiness.ts'
import type { OtelResource } from '../api/types.ts'
import { addMembers } from '../../options/define-member.ts'

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
  /** Where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` are read. Default: `process.env`. */
  readonly env?: Environment | undefined
}

/** A resource, and when it is complete. */
export interface PendingResource {
  /** The object stays the same when attributes that came later are put into it: records are grouped by its identity. */
  readonly resource: Resource
  readonly settlement: ResourceReadiness
}

/**
 * Returns the resource of a provider: what code sets, over the environment, over the detectors (RES1). It holds what is known
 * at any time; whenever a promise settles it is completed in place, also after the timeout, and `changed` is called. The
 * settlement is over when nothing is pending, or after the timeout, which is reported (D14). Text that `patterns` find is
 * redacted. Never throws.
 */
export function settlingResource(
  settings: ResourceSettings,
  reportDiagnostic: OnDiagnostic,
  changed: () => void,
  patterns?: TextPatterns,
): PendingResource {
  const { resource: given, detectors = [], resourceTimeoutMillis, env } = ownCopy(settings)
  const failed = (name: string) =>
    reportDiagnostic({
      code: 'SLUICE_DETECTOR_FAILED',
      message: `the resource detector ${name} failed; its attributes are left out`,
    })
  const update = () => {
    addMembers(resource, make())
    changed()
  }
  const own = isResource(given) ? partOf(given, update, () => failed('resource')) : undefined
  const found = detectors.map((detector) => detectedPart(detector, update, failed))

  const make = (): Resource => {
    const attributes = own === undefined ? (given as ResourceAttributes | undefined) : dataOf([own])
    const schemaUrl = schemaUrlOf(own === undefined ? found : [own, ...found])
    return redactedResource({ ...resourceFrom(attributes, reportDiagnostic, env, dataOf(found)), schemaUrl }, patterns)
  }
  const resource = make()
  const pending = [...(own === undefined ? [] : [own]), ...found].flatMap((part) => part.settled ?? [])
  const settlement = new ResourceReadiness(pending, resourceTimeoutMillis, (complete) => {
    if (complete) return
    const message =
      'attributes of the resource were not there in time; records are exported without them until they are'
    reportDiagnostic({ code: 'SLUICE_RESOURCE_PENDING', message })
  })
  return { resource, settlement }
}

/** The attributes from one detector, or from the resource that was given. */
interface Part extends WatchedAttributes {
  readonly schemaUrl: string | undefined
}

function detectedPart(detector: ResourceDetector, changed: () => void, failed: (name: string) => void): Part {
  const fail = () => failed(nameOf(detector))
  try {
    const found = detector.detect({})
    return isThenable(found) ? latePart(found, changed, fail) : partOf(found, changed, fail)
  } catch {
    fail()
    return nothing
  }
}

/** The part of a detector that returns a promise. */
function latePart(found: PromiseLike<unknown>, changed: () => void, fail: () => void): Part {
  let part = nothing
  const read = async () => {
    part = partOf(await found, changed, fail)
    changed()
    await part.settled
  }
  return {
    current: () => part.current(),
    get schemaUrl() {
      return part.schemaUrl
    },
    settled: read().catch(fail),
  }
}

function partOf(found: unknown, changed: () => void, fail: () => void): Part {
  try {
    if (!isResource(found)) return nothing
    const schemaUrl = member(found, 'schemaUrl')
    return {
      ...watchAttributes(found, changed, fail),
      schemaUrl: typeof schemaUrl === 'string' ? schemaUrl : undefined,
    }
  } catch {
    fail()
    return nothing
  }
}

const nothing: Part = { current: () => new Map(), settled: undefined, schemaUrl: undefined }

/** The values as data, a later part's over an earlier one's. No limit holds for them (LIM7). */
function dataOf(parts: readonly Part[]): AnyValueMap {
  const all = new Map<string, unknown>()
  for (const part of parts) for (const [key, value] of part.current()) all.set(key, value)
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

function nameOf(detector: ResourceDetector): string {
  try {
    const { name } = detector.constructor
    return /^\w{1,64}$/.test(name) ? name : 'given'
  } catch {
    return 'given'
  }
}
