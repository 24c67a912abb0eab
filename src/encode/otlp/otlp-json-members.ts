/** An object returned by JSON.parse. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The error that the functions of this file throw for invalid OTLP/JSON. One shared instance suffices, because its stack is never read. */
export const invalidOtlpJson: Error = new TypeError('invalid OTLP/JSON')

/** Returns a value that is an object and not an array. Throws for other values. */
export function objectOf(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidOtlpJson
  return value as JsonObject
}

/** Returns an object's own member; undefined if it is missing or null, which means missing in the JSON form of protobuf. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined
}

/** Returns the items of a member that is a list; none if it is missing. */
export function itemsOf(object: JsonObject, name: string): readonly unknown[] {
  const items = memberOf(object, name) ?? []
  if (!Array.isArray(items)) throw invalidOtlpJson
  return items
}

/** Returns a member that is text; '' if it is missing. */
export function textOf(object: JsonObject, name: string): string {
  const text = memberOf(object, name) ?? ''
  if (typeof text !== 'string') throw invalidOtlpJson
  return text
}

/** Returns a member that is an integer from 0 to `max`; undefined if it is missing. */
export function countOf(object: JsonObject, name: string, max: number): number | undefined {
  const count = memberOf(object, name)
  if (count !== undefined && !(Number.isInteger(count) && (count as number) >= 0 && (count as number) <= max))
    throw invalidOtlpJson
  return count as number | undefined
}

/** The largest unsigned 32-bit integer. */
export const maxUint32: number = 2 ** 32 - 1

/** Returns the decimal text of a 64-bit integer between `min` and `max`, given as text or as a number that represents it exactly. */
export function integerText(value: unknown, min: bigint, max: bigint): string {
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : !(typeof value === 'string' && decimal.test(value)))
    throw invalidOtlpJson
  const integer = BigInt(value as string | number)
  if (integer < min || integer > max) throw invalidOtlpJson
  return String(integer)
}

const decimal = /^-?\d{1,20}$/
