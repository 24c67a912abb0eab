import { redactedResource } from '../../encode/walk/redacted-source.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { plainRules } from '../../encode/plain-data.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Resource } from '../../record/instrumentation-source.ts'
import type { Environment } from '../../platform/node/variables.ts'
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

/** A resource whose attributes may still be pending. */
export interface PendingResource {
  /** This object is updated in place when attributes resolve, because exporters group records by the identity of their resource. */
  readonly resource: Resource
  readonly resourceReadiness: ResourceReadiness
}

/**
 * Returns the resource of a provider. Options in code override the environment, which overrides detectors. The resource contains the
 * attributes resolved so far. Whenever a promise resolves, also after the timeout, it is updated in place and `onChange` is called. The
 * wait for the resource (`resourceReadiness`) is over when no attribute is pending, or after the timeout, which is reported. Text that
 * matches `patterns` is redacted. Never throws.
 */
export function createResource(
  settings: ResourceSettings,
  reportDiagnostic: OnDiagnostic,
  onChange: () => void,
  patterns?: TextPatterns,
): PendingResource {
  const { resource: given, detectors = [], resourceTimeoutMillis, env } = withoutPrototype(settings)
  const reportFailure = (name: string) =>
    reportDiagnostic({
      code: 'SLUICE_DETECTOR_FAILED',
      message: `the resource detector ${name} failed; its attributes are omitted`,
    })
  const update = () => {
    addMembers(resource, buildResource())
    onChange()
  }
  const passedPart = isResource(given) ? partOf(given, update, () => reportFailure('resource')) : undefined
  const detectedParts = detectors.map((detector) => detectedPart(detector, update, reportFailure))

  const buildResource = (): Resource => {
    const attributes = passedPart === undefined ? (given as ResourceAttributes | undefined) : dataOf([passedPart])
    const schemaUrl = schemaUrlOf(passedPart === undefined ? detectedParts : [passedPart, ...detectedParts])
    return redactedResource(
      { ...resourceFrom(attributes, reportDiagnostic, env, dataOf(detectedParts)), schemaUrl },
      patterns,
    )
  }
  const resource = buildResource()
  const allParts = [...(passedPart === undefined ? [] : [passedPart]), ...detectedParts]
  const pending = allParts.flatMap((part) => part.whenNonePending ?? [])
  const resourceReadiness = new ResourceReadiness(pending, resourceTimeoutMillis, (isComplete) => {
    if (isComplete) return
    const message =
      'some resource attributes were not available in time; records are exported without them until they are'
    reportDiagnostic({ code: 'SLUICE_RESOURCE_PENDING', message })
  })
  return { resource, resourceReadiness }
}

/** The attributes and schema URL of one detector, or of the resource option. */
interface ResourcePart extends WatchedAttributes {
  readonly schemaUrl: string | undefined
}

function detectedPart(
  detector: ResourceDetector,
  onChange: () => void,
  reportFailure: (name: string) => void,
): ResourcePart {
  const onFailure = () => reportFailure(nameOf(detector))
  try {
    const found = detector.detect({})
    return isThenable(found) ? asyncPart(found, onChange, onFailure) : partOf(found, onChange, onFailure)
  } catch {
    onFailure()
    return emptyPart
  }
}

/** Returns the part of a detector that returns a promise. */
function asyncPart(found: PromiseLike<unknown>, onChange: () => void, onFailure: () => void): ResourcePart {
  let part = emptyPart
  const read = async () => {
    part = partOf(await found, onChange, onFailure)
    onChange()
    await part.whenNonePending
  }
  return {
    current: () => part.current(),
    get schemaUrl() {
      return part.schemaUrl
    },
    whenNonePending: read().catch(onFailure),
  }
}

/** Returns the part of a resource; an empty part for any other value. */
function partOf(found: unknown, onChange: () => void, onFailure: () => void): ResourcePart {
  try {
    if (!isResource(found)) return emptyPart
    const schemaUrl = member(found, 'schemaUrl')
    return {
      ...watchAttributes(found, onChange, onFailure),
      schemaUrl: typeof schemaUrl === 'string' ? schemaUrl : undefined,
    }
  } catch {
    onFailure()
    return emptyPart
  }
}

const emptyPart: ResourcePart = { current: () => new Map(), whenNonePending: undefined, schemaUrl: undefined }

/**
 * Returns the attributes of all parts that are resolved now, as data. Later parts override earlier ones. The limits of records do not
 * apply to a resource.
 */
function dataOf(parts: readonly ResourcePart[]): AnyValueMap {
  const all = new Map<string, unknown>()
  for (const part of parts) for (const [key, value] of part.current()) all.set(key, value)
  return new Resolver(plainRules).resolve(all).attributes
}

/** Returns the schema URL if all parts that have one have the same, as the resource SDK specification requires for a merge. */
function schemaUrlOf(parts: readonly ResourcePart[]): string | undefined {
  const urls = new Set(parts.map(({ schemaUrl }) => schemaUrl ?? '').filter((url) => url !== ''))
  return urls.size === 1 ? [...urls][0] : undefined
}

/**
 * Returns whether a value is a resource of OpenTelemetry, and not an object whose members are the attributes. The value of an attribute
 * cannot be an object, so a value whose member `attributes` is an object is a resource.
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
