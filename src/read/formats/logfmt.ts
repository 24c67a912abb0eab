import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord } from '../record.ts'
import type { LineContext } from './line-context.ts'
import { levelFields, noTextParts, textRecord } from './text-record.ts'
import { nanosOf, timeOf } from './times.ts'
import { spanIdOf, traceIdOf } from './trace-ids.ts'

/** The names that the writers of logfmt give to the fields of a record. */
const levelKeys = ['level', 'lvl', 'severity', 'log.level', 'loglevel']
const timeKeys = ['time', 'ts', 'timestamp', 't', '@timestamp', 'at']
const messageKeys = ['msg', 'message']
const traceKeys = ['trace_id', 'traceID', 'traceId', 'traceid', 'trace']
const spanKeys = ['span_id', 'spanID', 'spanId', 'spanid', 'span']
const knownKeys: ReadonlySet<string> = new Set([
  ...levelKeys,
  ...timeKeys.filter((key) => key.length > 1),
  ...messageKeys,
  'err',
  'error',
  'caller',
])

/**
 * Reads a line of logfmt: `level=info msg="listening on 3000" port=3000`. The line must consist of pairs only, with at least two of them
 * and the key of a level, a time, a message or an error, so that prose that contains `a=b` is not a record.
 */
export function readLogfmt(text: string, context: LineContext): ReadRecord | undefined {
  const equals = text.indexOf('=')
  if (equals < 1 || equals > maxKeyLength) return undefined
  const fields = parsePairs(text)
  if (fields === undefined) return undefined
  // In a format that is given, one pair of any key is enough.
  if (context.input !== 'logfmt' && (fields.size < 2 || !hasKnownKey(fields, context.fieldNames))) return undefined

  const take = (field: string, alias: string, keys: readonly string[]) => {
    const mapped = context.fieldNames?.get(field) ?? context.fieldNames?.get(alias)
    return takeField(fields, mapped === undefined ? keys : [mapped, ...keys])
  }
  const time = take('time', 'timestamp', timeKeys)
  const level = take('level', 'severity', levelKeys)
  const message = take('message', 'msg', messageKeys)
  return textRecord(
    {
      ...noTextParts,
      format: 'logfmt',
      time: timeOf(time),
      timeUnixNano: nanosOf(time),
      ...(level === undefined ? undefined : levelFields(level)),
      message,
      attributes: fields,
      traceId: takeId(fields, traceKeys, traceIdOf),
      spanId: takeId(fields, spanKeys, spanIdOf),
    },
    context,
  )
}

function hasKnownKey(
  fields: ReadonlyMap<string, AnyValue>,
  fieldNames: ReadonlyMap<string, string> | undefined,
): boolean {
  for (const key of fields.keys()) if (knownKeys.has(key)) return true
  for (const name of fieldNames?.values() ?? []) if (fields.has(name)) return true
  return false
}

const maxKeyLength = 128

/**
 * Returns the pairs of a line; undefined if anything else is in it. A key without `=` is the value true, as in Heroku's lines, but a line
 * where such words are as many as the pairs is prose.
 */
export function parsePairs(text: string): Map<string, AnyValue> | undefined {
  const fields = new Map<string, AnyValue>()
  let bareKeys = 0
  let at = 0
  const end = text.length
  while (at < end) {
    if (text.charCodeAt(at) === space) {
      at++
      continue
    }
    const keyStart = at
    while (at < end && isKeyCharacter(text.charCodeAt(at))) at++
    const key = text.slice(keyStart, at)
    if (key === '' || key.length > maxKeyLength) return undefined
    if (at >= end || text.charCodeAt(at) === space) {
      if (fields.size <= ++bareKeys) return undefined
      fields.set(key, true)
      continue
    }
    if (text.charCodeAt(at) !== equalsSign) return undefined
    at++
    if (text.charCodeAt(at) === quote) {
      const close = closingQuote(text, at)
      if (close < 0 || (close + 1 < end && text.charCodeAt(close + 1) !== space)) return undefined
      fields.set(key, unescaped(text.slice(at, close + 1)))
      at = close + 1
    } else {
      const valueStart = at
      while (at < end && text.charCodeAt(at) !== space) {
        if (text.charCodeAt(at) === quote) return undefined
        at++
      }
      fields.set(key, scalarOf(text.slice(valueStart, at)))
    }
  }
  return fields
}

function closingQuote(text: string, open: number): number {
  let at = open + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return -1
}

/** Returns the value of a quoted text. Go's escapes `\x41`, `\a` and `\v` are not JSON's, and are replaced before. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  return quoted
    .slice(1, -1)
    .replaceAll(
      /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(.))/gsu,
      (_match, unicode?: string, hex?: string, one = '') => {
        const code = unicode ?? hex
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
        return escapes.get(one) ?? one
      },
    )
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
])

/** Returns a value without quotes: a number only if its digits are what the number would be written as, such as `42` but not `007`. */
function scalarOf(text: string): AnyValue {
  if (text === 'true') return true
  if (text === 'false') return false
  const code = text.charCodeAt(0)
  if ((code >= 48 && code <= 57) || code === 45) {
    const number = Number(text)
    if (String(number) === text) return number
  }
  return text
}

/** Removes the first field that is present, and returns it as the text that it was. */
function takeField(fields: Map<string, AnyValue>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields.get(key)
    if (typeof value !== 'string' && typeof value !== 'number') continue
    fields.delete(key)
    return String(value)
  }
  return undefined
}

/** Removes the first field that is an ID, and returns it. */
function takeId(
  fields: Map<string, AnyValue>,
  keys: readonly string[],
  idOf: (value: unknown) => string | undefined,
): string | undefined {
  for (const key of keys) {
    const id = idOf(fields.get(key))
    if (id === undefined) continue
    fields.delete(key)
    return id
  }
  return undefined
}

function isKeyCharacter(code: number): boolean {
  return code > space && code !== equalsSign && code !== quote && code !== 127
}

const space = 32
const quote = 34
const equalsSign = 61
const backslash = 92
