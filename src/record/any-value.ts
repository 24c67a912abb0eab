/**
 * A value of the data model: the form of a logged value after serializers, `toJSON`, getters and redaction have run. No user code
 * can be reached from it. Objects are maps, so that `__proto__` is an ordinary key.
 */
export type AnyValue = string | number | boolean | bigint | null | Uint8Array | readonly AnyValue[] | AnyValueMap

/** An object of the data model, with its keys in the order in which they are written. */
export type AnyValueMap = ReadonlyMap<string, AnyValue>
