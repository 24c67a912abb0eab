import { disownPromise } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import type { OtelResource } from '../api/types.ts'

/** The attributes of a resource whose values may still be promises. */
export interface WatchedAttributes {
  /** Returns the attributes that are known now. */
  current(): Map<string, unknown>
  /** Fulfilled when no attribute is pending any more; undefined when none is pending. Never rejects. */
  readonly settled: Promise<void> | undefined
}

/**
 * Reads the attributes of a resource now, and the pending ones as they settle. `changed` is called each time more is known,
 * `failed` for each attribute that cannot be read.
 *
 * While attributes are pending, a key that occurs more than once has its first known value, as in the SDKs of both lines:
 * `merge` puts the winning values in front. As soon as the resource is complete, its own `attributes` are used.
 *
 * @throws what reading the resource throws.
 */
export function watchAttributes(
  resource: OtelResource,
  changed: () => void,
  failed: () => void = () => {},
): WatchedAttributes {
  // The SDK reports an error when `attributes` is read while some of them are pending.
  const pairs = Array.from(pairsOf(resource), ([key, value]): Pair => [key, value])
  const pending: Promise<void>[] = []
  for (const pair of pairs) {
    const [, value] = pair
    if (!isThenable(value)) continue
    pair[1] = undefined
    const keep = (late: unknown) => {
      pair[1] = late
      changed()
    }
    pending.push(Promise.resolve(value).then(keep, failed))
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

/** Whether a resource has attributes that are not known yet. */
export function isPending(resource: object): boolean {
  return member(resource as Partial<OtelResource>, 'asyncAttributesPending') === true
}

/** Whether a value is a promise, of any implementation. Throws what reading `then` throws. */
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
    return disownPromise(pairs) ? [] : pairs
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

/** Whether the SDK keeps such an attribute when the resource is complete; another value of the key may count otherwise. */
function isAttribute(value: unknown, key: string): boolean {
  if (key === '' || value === undefined || value === null) return false
  return typeof value !== 'object' || Array.isArray(value)
}
