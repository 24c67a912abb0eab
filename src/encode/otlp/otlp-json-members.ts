/** An object as JSON.parse makes it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Thrown by everything here at what OTLP/JSON has no words for. One for all: nobody reads its stack. */
export const damaged: Error = new TypeError('no OTLP/JSON')

/** The value where it is an object and no array. */
export function objectOf(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged
  return value as JsonObject
}

/** An object's own member; undefined where there is none, or null, which stands for none in JSON of protobuf. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined
}

/** The items of a member that is a list; none where it is absent. */
export function itemsOf(object: JsonObject, name: string): readonly unknown[] {
  const items = memberOf(object, name) ?? []
  if (!Array.isArray(items)) throw damaged
  return items
}

/** A member that is text; '' where it is absent. */
export function textOf(object: JsonObject, name: string): string {
  const text = memberOf(object, name) ?? ''
  if (typeof text !== 'string') throw damaged
  return text
}

/** A member that is a whole number from 0 to `most`; undefined where it is absent. */
export function countOf(object: JsonObject, name: string, most: number): number | undefined {
  const count = memberOf(object, name)
  if (count !== undefined && !(Number.isInteger(count) && (count as number) >= 0 && (count as number) <= most))
    throw damaged
  return count as number | undefined
}

/** The most that 32 bits hold. */
export const mostOf32: number = 2 ** 32 - 1

/** A 64-bit integer, as text or as a number that is exactly it (JS2). Without a sign where `from` is 0. */
export function integerText(value: unknown, from: bigint, to: bigint): string {
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : !(typeof value === 'string' && decimal.test(value)))
    throw damaged
  const integer = BigInt(value as string | number)
  if (integer < from || integer > to) throw damaged
  return String(integer)
}

const decimal = /^-?\d{1,20}$/
