import { quote } from '../../encode/json/quote.ts'
import { define, setMember } from '../../options/define-member.ts'
import { isOnEveryObject, member } from '../../options/own-members.ts'

/** How BigInts are written: as strings (`text`), or as numbers (`digits`). Formats for which winston uses no replacer write digits. */
export type BigIntForm = 'text' | 'digits'

/** Maximum depth. Custom formats can add cycles, which would be endless. Greater than 64, the default depth limit of logged values. */
const maxDepth = 200

/** How JSON is written. */
export interface JsonStyle {
  readonly bigints: BigIntForm
  /** Indentation of lines; an empty string writes one line. */
  readonly indent: string
}

const oneLine: JsonStyle = { bigints: 'text', indent: '' }

/**
 * Returns JSON with the keys of every object sorted, as winston writes it. Numbers that are not finite are null.
 * Returns undefined for a value that JSON omits, such as a function.
 *
 * @throws RangeError for a value that is too deep or has a cycle, and the errors of getters and `toJSON`
 */
export function sortedJson(value: unknown, style: JsonStyle = oneLine, depth = 0, key = ''): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return style.bigints === 'text' ? `"${value}"` : String(value)
    case 'object':
      return value === null ? 'null' : objectJson(value, style, depth, key)
    default:
      return undefined
  }
}

function objectJson(object: object, style: JsonStyle, depth: number, key: string): string | undefined {
  if (depth > maxDepth) throw new RangeError('too deep')
  const toJSON: unknown = member(object as { toJSON?: unknown }, 'toJSON')
  const data: unknown = typeof toJSON === 'function' ? toJSON.call(object, key) : object
  if (typeof data !== 'object' || data === null) return sortedJson(data, style, depth, key)
  return Array.isArray(data) ? itemsJson(data as unknown[], style, depth) : membersJson(data, style, depth)
}

function itemsJson(items: readonly unknown[], style: JsonStyle, depth: number): string {
  const parts = items.map((item, index) => sortedJson(item, style, depth + 1, String(index)) ?? 'null')
  return enclose('[', parts.join(separator(style, depth)), ']', style, depth)
}

function membersJson(object: object, style: JsonStyle, depth: number): string {
  const comma = separator(style, depth)
  const colon = style.indent === '' ? ':' : ': '
  let text = ''
  for (const key of sortedKeys(object)) {
    const part = sortedJson((object as Record<string, unknown>)[key], style, depth + 1, key)
    if (part === undefined) continue
    text += (text === '' ? '' : comma) + quote(key) + colon + part
  }
  return enclose('{', text, '}', style, depth)
}

/** Returns the comma between members, with a line break and indentation if there is an indentation. */
function separator({ indent }: JsonStyle, depth: number): string {
  return indent === '' ? ',' : `,\n${indent.repeat(depth + 1)}`
}

function enclose(open: string, text: string, close: string, { indent }: JsonStyle, depth: number): string {
  if (indent === '' || text === '') return open + text + close
  return `${open}\n${indent.repeat(depth + 1)}${text}\n${indent.repeat(depth)}${close}`
}

/** Sorts the keys of an object. For a few keys, the usual case, insertion sort is faster than the built-in sort. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object)
  if (keys.length > 32) return keys.toSorted(byCodeUnits)
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!
    let index = i
    for (; index > 0 && keys[index - 1]! > key; index--) keys[index] = keys[index - 1]!
    keys[index] = key
  }
  return keys
}

/**
 * Returns a copy for `JSON.stringify`, optionally with sorted keys. BigInts become text; objects with `toJSON` are not copied.
 *
 * @throws RangeError for a value that is too deep or has a cycle, and the errors of getters
 */
export function jsonCopy(value: unknown, sortsKeys: boolean, depth = 0): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) throw new RangeError('too deep')
  if (typeof member(value as { toJSON?: unknown }, 'toJSON') === 'function') return value
  if (Array.isArray(value)) return hideInheritedToJson(value.map((item) => jsonCopy(item, sortsKeys, depth + 1)))
  const copy: Record<string, unknown> = {}
  for (const key of sortsKeys ? sortedKeys(value) : Object.keys(value))
    setMember(copy, key, jsonCopy((value as Record<string, unknown>)[key], sortsKeys, depth + 1))
  return hideInheritedToJson(copy)
}

/** Hides a `toJSON` of Object.prototype from `JSON.stringify`. */
function hideInheritedToJson<T extends object>(copy: T): T {
  if (isOnEveryObject('toJSON') && !Object.hasOwn(copy, 'toJSON')) define(copy, 'toJSON', { value: undefined })
  return copy
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
