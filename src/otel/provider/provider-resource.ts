import { redactedResource } from '../../encode/walk/redacted-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainRules } from '../../encode/plain.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Resource } from '../../record/instrumentation-source.ts'
import type { Environment } from '../../platform/node/env.ts'
import { resourceFrom, type ResourceAttributes } from '../../platform/node/resource.ts'
import { isThenable, watchAttributes, type WatchedAttributes } from './resource-attributes.ts'
import { ResourceReadiness } from './resource-readiness.ts'
import type { OtelResource } from '../api/types.ts'
import { addMembers } from '../../options/define-member.ts'

/**
 * A resource detector: finds attributes of the resource, synchronously or asynchronously. Detectors of any version of
 * `@opentelemetry/resources` are compatible.
 */
export interface ResourceDetector {
  /**
   * Returns a resource whose attributes may be promises, or a promise of a resource. When it throws or rejects, only its own
   * attributes are lost.
   *
   * @param config - an empty object, for compatibility with detectors that expect one
   */
  detect(config?: object): unknown
}

/** The sources of a provider's resource. */
export interface ResourceSettings {
  /** Attributes, or a resource of `@opentelemetry/resources`. */
  readonly resource?: ResourceAttributes | OtelResource | undefined
  /** Detectors in order; a later one overrides an earlier one. */
  readonly detectors?: readonly ResourceDetector[] | undefined
  /** The maximum time to wait for pending attributes, in ms. */
  readonly resourceTimeoutMillis: number
  /** The environment to read `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` from. Default: `process.env`. */
  readonly env?: Environment | undefined
}

/** A resource that may still have pending attributes. */
export interface PendingResource {
  /** The object is updated in place when attributes resolve, because records are grouped by its identity. */
  readonly resource: Resource
  readonly resourceReadiness: ResourceReadiness
}

/**
 * Returns the resource of a provider. Options in code override the environment, which overrides detectors (RES1). The resource
 * contains the attributes resolved so far; whenever a promise settles, also after the timeout, it is updated in place and `changed`
 * is called. The readiness ends when no attribute is pending, or after the timeout, which is reported (D14). Text that matches
 * `patterns` is redacted. Never throws.
 */
export function createResource(
  settings: ResourceSettings,
  reportDiagnostic: OnDiagnostic,
  changed: () => void,
  patterns?: TextPatterns,
): PendingResource {
  const { resource: given, detectors = [], resourceTimeoutMillis, env } = ownCopy(settings)
  const failed = (name: string) =>
    reportDiagnostic({
      code: 'SLUICE_DETECTOR_FAILED',
      message: `the resource detector ${name} failed; its attributes are omitted`,
    })
  const update = () => {
    addMembers(resource, build())
    changed()
  }
  const passedPart = isResource(given) ? partOf(given, update, () => failed('resource')) : undefined
  const found = detectors.map((detector) => detectedPart(detector, update, failed))

  const build = (): Resource => {
    const attributes = passedPart === undefined ? (given as ResourceAttributes | undefined) : dataOf([passedPart])
    const schemaUrl = schemaUrlOf(passedPart === undefined ? found : [passedPart, ...found])
    return redactedResource({ ...resourceFrom(attributes, reportDiagnostic, env, dataOf(found)), schemaUrl }, patterns)
  }
  const resource = build()
  const pending = [...(passedPart === undefined ? [] : [passedPart]), ...found].flatMap((part) => part.settled ?? [])
  const resourceReadiness = new ResourceReadiness(pending, resourceTimeoutMillis, (complete) => {
    if (complete) return
    const message =
      'some resource attributes were not available in time; records are exported without them until they are'
    reportDiagnostic({ code: 'SLUICE_RESOURCE_PENDING', message })
  })
  return { resource, resourceReadiness }
}

/** The attributes of one detector, or of the resource that was passed. */
interface Part extends WatchedAttributes {
  readonly schemaUrl: string | undefined
}

function detectedPart(detector: ResourceDetector, changed: () => void, failed: (name: string) => void): Part {
  const fail = () => failed(nameOf(detector))
  try {
    const found = detector.detect({})
    return isThenable(found) ? asyncPart(found, changed, fail) : partOf(found, changed, fail)
  } catch {
    fail()
    return emptyPart
  }
}

/** Returns the part of a detector that returns a promise. */
function asyncPart(found: PromiseLike<unknown>, changed: () => void, fail: () => void): Part {
  let part = emptyPart
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
    if (!isResource(found)) return emptyPart
    const schemaUrl = member(found, 'schemaUrl')
    return {
      ...watchAttributes(found, changed, fail),
      schemaUrl: typeof schemaUrl === 'string' ? schemaUrl : undefined,
    }
  } catch {
    fail()
    return emptyPart
  }
}

const emptyPart: Part = { current: () => new Map(), settled: undefined, schemaUrl: undefined }

/**
 * Returns the attributes of all parts as data; later parts override earlier ones. Record limits do not apply to a resource (LIM7).
 */
function dataOf(parts: readonly Part[]): AnyValueMap {
  const all = new Map<string, unknown>()
  for (const part of parts) for (const [key, value] of part.current()) all.set(key, value)
  return new Resolver(plainRules).resolve(all).attributes
}

/** Returns the schema URL if all parts that have one agree; undefined otherwise (resource SDK, merge). */
function schemaUrlOf(parts: readonly Part[]): string | undefined {
  const urls = new Set(parts.map(({ schemaUrl }) => schemaUrl ?? '').filter((url) => url !== ''))
  return urls.size === 1 ? [...urls][0] : undefined
}

/**
 * Returns whether a value is a resource. Attribute values cannot be objects, so a value whose `attributes` member is an object is a
 * resource.
 */
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
