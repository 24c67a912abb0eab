import { ignoreRejection } from '../options/observe-promise.ts'
import type { Check } from '../options/option-checks.ts'
import { member } from '../options/own-members.ts'
import { typeName } from '../options/option-checks.ts'
import { RecordView } from '../handler/record-view.ts'
import type { HandledRecord } from '../handler/handler.ts'
import { HandlerMisuse } from '../handler/handler-diagnostics.ts'
import { isSummary, summaryEvent } from './summary.ts'

/** The value of an attribute as a key: text, a number or a boolean. Records with another value or without the attribute have no key. */
export interface AttributeKey {
  /** The name of an attribute of the call, or else of the logger, its parents or `withContext`. */
  readonly attribute: string
}

/**
 * What identifies records of the same kind: `template`, an attribute, or a function that returns the key of a record. The template is the name of
 * the event, or else the message without inserted values, or else the name and message of the error. Records whose key is undefined
 * are not counted and always kept. Records of different levels never share a key.
 */
export type RecordKey = 'template' | AttributeKey | ((record: HandledRecord) => string | number | boolean | undefined)

/** Checks a `RecordKey`. */
export const recordKeyCheck: Check = (value, where, problems) => {
  if (value === 'template' || typeof value === 'function' || isAttributeKey(value)) return
  const expected = `'template', { attribute: 'name' } or a function that returns a key, not ${typeName(value)}`
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}` })
}

/** Returns whether a value is an `AttributeKey`. */
export function isAttributeKey(value: unknown): value is AttributeKey {
  return typeof value === 'object' && value !== null && typeof member(value as AttributeKey, 'attribute') === 'string'
}

/** Returns the function that returns the value of an attribute as a key. */
export function attributeKeyFunction<L extends string>({
  attribute,
}: AttributeKey): (record: HandledRecord<L>) => string | undefined {
  return (record) => keyText(callValue(record.attributes, attribute) ?? boundValue(record, attribute))
}

/** Returns the function that returns the key of a record. `caller` is the name of the public function, for its errors. */
export function keyFunction(by: RecordKey, caller: string): (record: HandledRecord) => string | undefined {
  if (by === 'template') return templateOf
  if (typeof by === 'object') {
    const attributeOf = attributeKeyFunction<never>(by)
    return (record) => {
      const key = isSummary(record) ? undefined : attributeOf(record)
      return key === undefined ? undefined : shortKey(key)
    }
  }
  return (record) => {
    if (isSummary(record)) return undefined
    const key: unknown = by(record)
    if (typeof key === 'string') return shortKey(key)
    if (key === undefined) return undefined
    if (typeof key === 'number' || typeof key === 'boolean') return String(key)
    ignoreRejection(key)
    throw new HandlerMisuse(
      `${caller}: by returned ${typeName(key)}, so the record is written; return a string, a number, a boolean or undefined`,
    )
  }
}

/** Returns the template of a record; undefined if it has none. */
export function templateOf(record: HandledRecord): string | undefined {
  const { eventName, body } = record
  if (eventName !== undefined) return eventName === summaryEvent ? undefined : eventName
  if (typeof body === 'string') return shortKey(body)
  return body === undefined && record.exception !== undefined ? errorKey(record.exception) : undefined
}

function callValue(attributes: object | undefined, name: string): unknown {
  if (attributes instanceof Map) return attributes.get(name)
  return attributes !== undefined && Object.hasOwn(attributes, name)
    ? (attributes as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function boundValue(record: object, name: string): unknown {
  // `record.bound` copies all attributes.
  return record instanceof RecordView ? RecordView.sourceOf(record).bound.valueOfKey(name) : undefined
}

function keyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A longer text is not kept as a key, because there can be many of them. */
const maxKeyLength = 1_000
/** The beginning of keys that summaries do not name. */
const unnamed = '\0'

/** Returns the template that a summary names for a key of `templateOf`; undefined if it names none. */
export function namedTemplate(key: string): string | undefined {
  return key.startsWith(unnamed) ? undefined : key
}

/** Returns a key that is not kept as a whole if it is long. Summaries do not name it then. */
function shortKey(key: string): string {
  return key.length > maxKeyLength ? `${unnamed}${key.length} ${hashOf(key)}` : key
}

/** Returns a hash of 64 bits (two of 32 bits with different factors). */
function hashOf(text: string): string {
  let [first, second] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    first = (Math.imul(first, 31) + unit) | 0
    second = (Math.imul(second, 65_599) + unit) | 0
  }
  return `${first} ${second}`
}

/** Returns a key for the name and message of an error; undefined if reading them throws. */
function errorKey(error: unknown): string | undefined {
  try {
    const { name, message } = error as { readonly name?: unknown; readonly message?: unknown }
    // Rules redact the message by the path of the error, which a summary does not have.
    return shortKey(`${unnamed}${String(name)}: ${String(message)}`)
  } catch {
    return undefined
  }
}
