import { ignoreRejection } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import type { OtelResource } from '../api/types.ts'

/** The attributes of a resource whose values may still be promises. */
export interface WatchedAttributes {
  /** Returns the attributes that are resolved now. */
  current(): Map<string, unknown>
  /** Resolves when no attribute is pending any more; undefined when none is pending. Never rejects. */
  readonly settled: Promise<void> | undefined
}

/**
 * Reads the attributes of a resource now, and the pending ones as they settle. `changed` is called each time an attribute resolves,
 * `failed` for each attribute that cannot be read.
 *
 * While attributes are pending, a key that occurs more than once has its first resolved value, as in the SDKs of both generations:
 * `merge` puts the values with precedence first. When the resource is complete, its own `attributes` are used.
 *
 * @throws an error when reading the resource throws.
 */
export function watchAttributes(
  resource: OtelResource,
  changed: () => void,
  failed: () => void = () => {},
): WatchedAttributes {
  // The SDK logs an error when `attributes` is read while some attributes are pending, so the raw pairs are read.
  const pairs = Array.from(pairsOf(resource), ([key, value]): Pair => [key, value])
  const pending: Promise<void>[] = []
  for (const pair of pairs) {
    const [, value] = pair
    if (!isThenable(value)) continue
    pair[1] = undefined
    const resolveLate = (late: unknown) => {
      pair[1] = late
      changed()
    }
    pending.push(Promise.resolve(value).then(resolveLate, failed))
  }
  let whole: Map<string, unknown> | undefined
  if (isPending(resource)) {
    const read = () => {
      whole = firstOf(Object.entries(resource.attributes), isKnown)
      changed()
    }
    pending.push(wait(resource).then(read).catch(failed))
  }
  const isUsable = isPending(resource) ? isAttribute : isKnown
  return {
    current: () => whole ?? firstOf(pairs, isUsable),
    settled: pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined),
  }
}

/** Returns whether a resource has attributes that are not resolved yet. */
export function isPending(resource: object): boolean {
  return member(resource as Partial<OtelResource>, 'asyncAttributesPending') === true
}

/** Returns whether a value is a promise of any implementation. Throws when reading `then` throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof member(value as { then?: unknown }, 'then') === 'function'
  )
}

type Pair = [key: string, value: unknown]

function pairsOf(resource: OtelResource): Iterable<readonly [string, unknown]> {
  const raw = resource as { getRawAttributes?(): readonly (readonly [string, unknown])[] }
  const getRawAttributes = member(raw, 'getRawAttributes')
  if (isPending(resource) && typeof getRawAttributes === 'function') {
    const pairs = getRawAttributes.call(resource)
    return ignoreRejection(pairs) ? [] : pairs
  }
  return Object.entries(member(resource, 'attributes') ?? {})
}

async function wait(resource: OtelResource): Promise<void> {
  await member(resource, 'waitForAsyncAttributes')?.call(resource)
}

function firstOf(
  pairs: Iterable<readonly [string, unknown]>,
  isUsable: (value: unknown, key: string) => boolean,
): Map<string, unknown> {
  const attributes = new Map<string, unknown>()
  for (const [key, value] of pairs) if (!attributes.has(key) && isUsable(value, key)) attributes.set(key, value)
  return attributes
}

function isKnown(value: unknown): boolean {
  return value !== undefined && !isThenable(value)
}

/**
 * Returns whether the SDK will keep this attribute when the resource is complete; if not, a later value of the same key applies.
 */
function isAttribute(value: unknown, key: string): boolean {
  if (key === '' || value === undefined || value === null) return false
  return typeof value !== 'object' || Array.isArray(value)
}
