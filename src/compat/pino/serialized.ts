import { isOnEveryObject } from '../../options/own-members.ts'
import type { HookFailures } from '../shared/hook-failures.ts'

/** What values go through, by key. A symbol is a key as well: others look there for what is theirs. */
export type Serializers = Record<string | symbol, ((value: unknown) => unknown) | undefined>

/**
 * A member behind its serializer. Under `errorKey` that of `err` holds, where there is no other. What throws is marked.
 */
export function serialized(
  source: object,
  key: string,
  serializers: Serializers,
  errorKey: string | undefined,
  hookFailures: HookFailures,
): unknown {
  let value: unknown
  let what = 'getter'
  try {
    value = (source as Record<string, unknown>)[key]
    if (value === undefined) return undefined
    const serializer = serializerOf(key, serializers, errorKey)
    if (!serializer) return value
    what = 'serializer'
    const answer = serializer.call(serializers, value)
    if (typeof answer === 'object') hookFailures.observe(`the serializer of ${JSON.stringify(key)}`, answer)
    return answer
  } catch (error) {
    return hookFailures.threw(`the ${what} of ${JSON.stringify(key)}`, error)
  }
}

/** What a member goes through, if anything. null takes the standard one away. */
export function serializerOf(
  key: string,
  serializers: Serializers,
  errorKey: string | undefined,
): ((value: unknown) => unknown) | undefined {
  return serializers[key] || (key === errorKey ? serializers.err : undefined) || undefined
}

/** Serializers of both, with the second ones first. No prototype: a key may be called `constructor`. */
export function mergedSerializers(first: object, second: object | undefined): Serializers {
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
