import { countOf, damaged, integerText, itemsOf, memberOf, maxUint32, objectOf, textOf } from './otlp-json-members.ts'
import type { JsonObject } from './otlp-json-members.ts'
import { quoteWellFormed } from '../json/quote.ts'

/** Rewrites an OTLP/JSON LogRecord as an item of a list. Throws if it is damaged. */
export function readRecord(record: JsonObject): { readonly text: string; readonly severity: number } {
  const severity = countOf(record, 'severityNumber', maxSevere)
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
  add('traceId', idOf(record, 'traceId', traceId))
  add('spanId', idOf(record, 'spanId', spanId))
  add('eventName', quotedOf(record, 'eventName'))
  return { text: `{${fields.join()}},`, severity: severity ?? 0 }
}

/** The highest severity number. */
const maxSevere = 24
const traceId = /^[0-9a-f]{32}$/i
const spanId = /^[0-9a-f]{16}$/i
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function timeOf(record: JsonObject, name: string): string | undefined {
  const time = memberOf(record, name)
  return time === undefined ? undefined : `"${integerText(time, 0n, 2n ** 64n - 1n)}"`
}

function quotedOf(record: JsonObject, name: string): string | undefined {
  const text = textOf(record, name)
  return text === '' ? undefined : quoteWellFormed(text)
}

/** Returns an id; undefined if it is empty, which means missing (FIL4). */
function idOf(record: JsonObject, name: string, form: RegExp): string | undefined {
  const id = textOf(record, name)
  if (id !== '' && !form.test(id)) throw damaged
  return id === '' ? undefined : `"${id}"`
}

function keyValueText(item: unknown): string {
  const keyValue = objectOf(item)
  return `{"key":${quoteWellFormed(textOf(keyValue, 'key'))},"value":${valueText(memberOf(keyValue, 'value') ?? {})}}`
}

/** Rewrites an AnyValue. Only its first known member is used, because at most one is allowed. */
function valueText(item: unknown): string {
  const value = objectOf(item)
  const kind = kinds.find((name) => memberOf(value, name) !== undefined)
  if (kind === undefined) return '{}'
  return `{"${kind}":${contents[kind](memberOf(value, kind))}}`
}

const contents = {
  stringValue: (text: unknown): string => quoteWellFormed(typed(text, 'string') as string),
  boolValue: (flag: unknown): string => String(typed(flag, 'boolean')),
  intValue: (integer: unknown): string => `"${integerText(integer, -(2n ** 63n), 2n ** 63n - 1n)}"`,
  doubleValue: (number: unknown): string => {
    if (number === 'NaN' || number === 'Infinity' || number === '-Infinity') return `"${number}"`
    return String(Number(typed(number, 'number')))
  },
  bytesValue: (bytes: unknown): string => {
    if (!base64.test(typed(bytes, 'string') as string)) throw damaged
    return `"${bytes as string}"`
  },
  arrayValue: (array: unknown): string =>
    `{"values":[${itemsOf(objectOf(array), 'values')
      .map((each) => valueText(each ?? {}))
      .join()}]}`,
  kvlistValue: (list: unknown): string => `{"values":[${itemsOf(objectOf(list), 'values').map(keyValueText).join()}]}`,
}

const kinds = Object.keys(contents) as (keyof typeof contents)[]

function typed(value: unknown, type: 'string' | 'boolean' | 'number'): unknown {
  // JSON.parse returns Infinity for 1e999.
  if (typeof value !== type || (type === 'number' && !Number.isFinite(value))) throw damaged
  return value
}
