/**
 * Data and nothing else: what a logged value becomes once serializers, `toJSON`, getters and redaction have run. No user
 * code is reachable from it. Objects are maps, so that a key such as `__proto__` is a key like any other.
 */
export type AnyValue = string | number | boolean | bigint | null | Uint8Array | readonly AnyValue[] | AnyValueMap

/** An object of the data model, keys in the order of writing. */
export type AnyValueMap = ReadonlyMap<string, AnyValue>
