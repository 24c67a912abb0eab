import {
  countOf,
  invalidOtlpJson,
  integerText,
  itemsOf,
  memberOf,
  maxUint32,
  objectOf,
  textOf,
} from './otlp-json-members.ts'
import type { JsonObject } from './otlp-json-members.ts'
import { quoteWellFormed } from '../json/quote.ts'

/** Rewrites an OTLP/JSON LogRecord as an item of a list, with a comma at the end. Throws if it is damaged. */
export function rewriteRecord(record: JsonObject): { readonly text: string; readonly severity: number } {
  const severity = countOf(record, 'severityNumber', maxSeverity)
  const fields: string[] = []
  const add = (name: string, text: string | number | undefined): void => {
    if (text !== undefined) fields.push(`"${name}":${text}`)
  }
  add('timeUnixNano', timeOf(record, 'timeUnixNano'))
  add('observedTimeUnixNano', timeOf(record, 'observedTimeUnixNano'))
  add('severityNumber', severity)
  add('severityText', quotedOf(record, 'severityText'))
  const body = memberOf(record, 'body')
  if (body !== undefined) add('body', valueText(body))
  const attributes = itemsOf(record, 'attributes')
  if (attributes.length > 0) add('attributes', `[${attributes.map(keyValueText).join()}]`)
  add('droppedAttributesCount', countOf(record, 'droppedAttributesCount', maxUint32))
  add('flags', countOf(record, 'flags', maxUint32))
  add('traceId', idOf(record, 'traceId', traceIdPattern))
  add('spanId', idOf(record, 'spanId', spanIdPattern))
  add('eventName', quotedOf(record, 'eventName'))
  return { text: `{${fields.join()}},`, severity: severity ?? 0 }
}

/** The highest severity number. */
const maxSeverity = 24
const traceIdPattern = /^[0-9a-f]{32}$/i
const spanIdPattern = /^[0-9a-f]{16}$/i
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function timeOf(record: JsonObject, name: string): string | undefined {
  const time = memberOf(record, name)
  return time === undefined ? undefined : `"${integerText(time, 0n, 2n ** 64n - 1n)}"`
}

function quotedOf(record: JsonObject, name: string): string | undefined {
  const text = textOf(record, name)
  return text === '' ? undefined : quoteWellFormed(text)
}

/** Returns an id as JSON; undefined if it is missing or empty, which means the same in the JSON form of protobuf. */
function idOf(record: JsonObject, name: string, pattern: RegExp): string | undefined {
  const id = textOf(record, name)
  if (id !== '' && !pattern.test(id)) throw invalidOtlpJson
  return id === '' ? undefined : `"${id}"`
}

function keyValueText(item: unknown): string {
  const keyValue = objectOf(item)
  return `{"key":${quoteWellFormed(textOf(keyValue, 'key'))},"value":${valueText(memberOf(keyValue, 'value') ?? {})}}`
}

/** Rewrites an AnyValue. Uses only one of its members, because at most one is allowed. */
function valueText(item: unknown): string {
  const value = objectOf(item)
  const kind = valueKinds.find((name) => memberOf(value, name) !== undefined)
  if (kind === undefined) return '{}'
  return `{"${kind}":${valueRewriters[kind](memberOf(value, kind))}}`
}

/** For each kind of AnyValue, a function that returns its content as JSON, and throws if it is damaged. */
const valueRewriters = {
  stringValue: (text: unknown): string => quoteWellFormed(checkType(text, 'string') as string),
  boolValue: (flag: unknown): string => String(checkType(flag, 'boolean')),
  intValue: (integer: unknown): string => `"${integerText(integer, -(2n ** 63n), 2n ** 63n - 1n)}"`,
  doubleValue: (number: unknown): string => {
    if (number === 'NaN' || number === 'Infinity' || number === '-Infinity') return `"${number}"`
    return String(Number(checkType(number, 'number')))
  },
  bytesValue: (bytes: unknown): string => {
    if (!base64Pattern.test(checkType(bytes, 'string') as string)) throw invalidOtlpJson
    return `"${bytes as string}"`
  },
  arrayValue: (array: unknown): string =>
    `{"values":[${itemsOf(objectOf(array), 'values')
      .map((each) => valueText(each ?? {}))
      .join()}]}`,
  kvlistValue: (list: unknown): string => `{"values":[${itemsOf(objectOf(list), 'values').map(keyValueText).join()}]}`,
}

const valueKinds = Object.keys(valueRewriters) as (keyof typeof valueRewriters)[]

/** Returns the value if it has the type, and is finite if it is a number. Throws otherwise. */
function checkType(value: unknown, type: 'string' | 'boolean' | 'number'): unknown {
  // JSON.parse returns Infinity for 1e999.
  if (typeof value !== type || (type === 'number' && !Number.isFinite(value))) throw invalidOtlpJson
  return value
}
