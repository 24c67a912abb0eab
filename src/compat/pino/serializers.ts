import { isOnEveryObject } from '../../options/own-members.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'

/** Serializers by key. Keys can be symbols, under which other libraries store members of their own. */
export type Serializers = Record<string | symbol, ((value: unknown) => unknown) | undefined>

/**
 * Returns a member after its serializer was applied. The serializer of `err` is the default for `errorKey`. If the getter or the serializer
 * throws, a marker is returned.
 */
export function serializeMember(
  source: object,
  key: string,
  serializers: Serializers,
  errorKey: string | undefined,
  hookFailures: HookFailureReporter,
): unknown {
  let value: unknown
  let thrower = 'getter'
  try {
    value = (source as Record<string, unknown>)[key]
    if (value === undefined) return undefined
    const serializer = serializerOf(key, serializers, errorKey)
    if (!serializer) return value
    thrower = 'serializer'
    const result = serializer.call(serializers, value)
    if (typeof result === 'object') hookFailures.observeIfPromise(`the serializer of ${JSON.stringify(key)}`, result)
    return result
  } catch (error) {
    return hookFailures.reportThrow(`the ${thrower} of ${JSON.stringify(key)}`, error)
  }
}

/** Returns the serializer of a member, if any. The value null disables the standard serializer of `err`. */
export function serializerOf(
  key: string,
  serializers: Serializers,
  errorKey: string | undefined,
): ((value: unknown) => unknown) | undefined {
  return serializers[key] || (key === errorKey ? serializers.err : undefined) || undefined
}

/**
 * Merges serializers, including inherited ones. The second ones take precedence. The result has no prototype, because a key may be
 * `constructor`.
 */
export function mergeSerializers(first: object, second: object | undefined): Serializers {
  const merged = Object.create(null) as Serializers
  for (const source of [first, second]) {
    if (source === undefined || source === null) continue
    for (const key in source) {
      if (isOnEveryObject(key) && !Object.hasOwn(source, key)) continue
      merged[key] = (source as Serializers)[key]
    }
    for (const key of Object.getOwnPropertySymbols(source)) merged[key] = (source as Serializers)[key]
  }
  return merged
}
