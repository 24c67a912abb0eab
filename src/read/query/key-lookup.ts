import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import { otherKeyOf } from './other-keys.ts'
import type { QueryPath } from './query.ts'
import { fieldGetters, fieldOf } from './record-field.ts'

/** Returns the value of a key in a record; undefined if the record does not have the key. */
export type KeyGetter = (record: ReadRecord) => AnyValue | undefined

/**
 * Returns the function that finds a key in records: a part of the record, an attribute, or an attribute of the resource. Where a part of the
 * record is missing, an attribute of the same name is found, and where that is missing, the key for a name of another logger.
 */
export function keyGetter(path: QueryPath): KeyGetter {
  const other = otherKeyOf(path)
  return other === undefined ? ownKeyGetter(path) : either(ownKeyGetter(path), ownKeyGetter(other))
}

function ownKeyGetter(path: QueryPath): KeyGetter {
  const field = fieldOf(path)
  const attribute = attributeGetter(path)
  if (field === undefined) return attribute
  const getField = fieldGetters[field]
  return either(getField, attribute)
}

function attributeGetter(path: QueryPath): KeyGetter {
  const inMap = memberGetter(path)
  const ofAttributes = either(
    ({ attributes }) => inMap(attributes),
    ({ resource }) => inMap(resource),
  )
  const [first, ...rest] = path
  if (rest.length > 0) {
    const inMember = memberGetter(rest)
    if (first === 'attributes') return ({ attributes }) => inMember(attributes)
    if (first === 'resource') return ({ resource }) => inMember(resource)
    if (first === 'body') return either(({ body }) => (body === undefined ? undefined : inMember(body)), ofAttributes)
  }
  return ofAttributes
}

/** Returns a function that calls the second one if the first one finds nothing. Null is a value. */
function either(first: KeyGetter, second: KeyGetter): KeyGetter {
  return (record) => {
    const value = first(record)
    return value === undefined ? second(record) : value
  }
}

/** Returns the function that finds a path in a value. A key that contains dots is found before a nested one. */
function memberGetter(path: QueryPath): (value: AnyValue) => AnyValue | undefined {
  const [first] = path
  if (path.length === 1 && typeof first === 'string')
    return (value) => (value instanceof Map ? (value as AnyValueMap).get(first) : undefined)
  const keys = path.map((_, from) => joinedNames(path, from))
  return (value) => memberAt(value, path, keys, 0)
}

/** Returns the keys that can begin at a segment, joined with dots: `a.b.c`, `a.b` and `a`, with the index of the segment after each. */
function joinedNames(path: QueryPath, from: number): readonly (readonly [key: string, end: number])[] {
  const keys: [string, number][] = []
  let key = ''
  for (let at = from; at < path.length && typeof path[at] === 'string'; at++) {
    key += (at > from ? '.' : '') + path[at]
    keys.push([key, at + 1])
  }
  return keys.toReversed()
}

function memberAt(
  value: AnyValue,
  path: QueryPath,
  keys: readonly (readonly (readonly [key: string, end: number])[])[],
  from: number,
): AnyValue | undefined {
  if (from === path.length) return value
  if (Array.isArray(value)) {
    const index = Number(path[from])
    const item = Number.isInteger(index) && index >= 0 ? (value as readonly AnyValue[])[index] : undefined
    return item === undefined ? undefined : memberAt(item, path, keys, from + 1)
  }
  if (!(value instanceof Map)) return undefined
  for (const [key, end] of keys[from]!) {
    const member = (value as AnyValueMap).get(key)
    const found = member === undefined ? undefined : memberAt(member, path, keys, end)
    if (found !== undefined) return found
  }
  return undefined
}
