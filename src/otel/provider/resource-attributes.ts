import { ignoreRejection } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import type { OtelResource } from '../api/types.ts'

/** The attributes of a resource whose values may still be promises. */
export interface WatchedAttributes {
  /** Returns the attributes that are resolved now. */
  current(): Map<string, unknown>
  /** Resolves when no attribute is pending any more; undefined when none is pending. Never rejects. */
  readonly whenNonePending: Promise<void> | undefined
}

/**
 * Reads the attributes of a resource now, and the pending ones when they resolve. `onChange` is called each time an attribute resolves,
 * `onFailure` for each pending attribute that rejects, and if the complete resource cannot be read.
 *
 * While attributes are pending, a key that occurs more than once has its first resolved value, as in the SDKs of both generations:
 * `merge` puts values of higher precedence first. When the resource is complete, its member `attributes` is used.
 *
 * @throws an error when reading the resource throws
 */
export function watchAttributes(
  resource: OtelResource,
  onChange: () => void,
  onFailure: () => void = () => {},
): WatchedAttributes {
  // The SDK logs an error when `attributes` is read while some attributes are pending, so the raw pairs are read.
  const pairs = Array.from(pairsOf(resource), ([key, value]): Pair => [key, value])
  const pending: Promise<void>[] = []
  for (const pair of pairs) {
    const [, value] = pair
    if (!isThenable(value)) continue
    pair[1] = undefined
    const onResolved = (resolvedValue: unknown) => {
      pair[1] = resolvedValue
      onChange()
    }
    pending.push(Promise.resolve(value).then(onResolved, onFailure))
  }
  let completeAttributes: Map<string, unknown> | undefined
  if (hasPendingAttributes(resource)) {
    const readComplete = () => {
      completeAttributes = firstValues(Object.entries(resource.attributes), isResolved)
      onChange()
    }
    pending.push(waitForAttributes(resource).then(readComplete).catch(onFailure))
  }
  // While attributes are pending, `pairs` can contain values that the SDK will not keep in the complete resource.
  const isUsable = hasPendingAttributes(resource) ? isKeptAttribute : isResolved
  return {
    current: () => completeAttributes ?? firstValues(pairs, isUsable),
    whenNonePending: pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined),
  }
}

/** Returns whether a resource has attributes that are not resolved yet. */
export function hasPendingAttributes(resource: object): boolean {
  return member(resource as Partial<OtelResource>, 'asyncAttributesPending') === true
}

/** Returns whether a value is a promise of any implementation. Throws when reading `then` throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof member(value as { then?: unknown }, 'then') === 'function'
  )
}

type Pair = [key: string, value: unknown]

/** Returns the keys and values of the attributes. Values may be promises, and keys may occur more than once. */
function pairsOf(resource: OtelResource): Iterable<readonly [string, unknown]> {
  const raw = resource as { getRawAttributes?(): readonly (readonly [string, unknown])[] }
  const getRawAttributes = member(raw, 'getRawAttributes')
  if (hasPendingAttributes(resource) && typeof getRawAttributes === 'function') {
    const pairs = getRawAttributes.call(resource)
    // A custom resource can return a promise.
    return ignoreRejection(pairs) ? [] : pairs
  }
  return Object.entries(member(resource, 'attributes') ?? {})
}

async function waitForAttributes(resource: OtelResource): Promise<void> {
  await member(resource, 'waitForAsyncAttributes')?.call(resource)
}

/** Returns the first usable value of each key. */
function firstValues(
  pairs: Iterable<readonly [string, unknown]>,
  isUsable: (value: unknown, key: string) => boolean,
): Map<string, unknown> {
  const attributes = new Map<string, unknown>()
  for (const [key, value] of pairs) if (!attributes.has(key) && isUsable(value, key)) attributes.set(key, value)
  return attributes
}

function isResolved(value: unknown): boolean {
  return value !== undefined && !isThenable(value)
}

/**
 * Returns whether the SDK will keep this attribute when the resource is complete. If not, a later value of the same key applies.
 */
function isKeptAttribute(value: unknown, key: string): boolean {
  if (key === '' || value === undefined || value === null) return false
  return typeof value !== 'object' || Array.isArray(value)
}
