import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { defaultLimits } from '../values/limits.ts'
import type { Rules } from '../values/record-rules.ts'
import { quote, quoteNumber } from './json/quote.ts'
import { TextWalk } from './walk/text-walk.ts'
import { noRules } from './walk/walk.ts'

/** The rules for data that has already been redacted, serialized and limited. Only `recordBytes` still applies. */
export const plainRules: Rules = {
  redaction: { root: noRules, patterns: undefined, credentialHeaders: false },
  serializers: new Map(),
  limits: { ...defaultLimits, depth: Infinity, attributes: Infinity, items: Infinity, stringLength: Infinity },
}

let writer: TextWalk | undefined

/** Returns data as text for a message. A string stays unchanged unless `json` is true; everything else is JSON. */
export function plainText(value: AnyValue, json: boolean): string {
  writer ??= new TextWalk({ ...plainRules.limits, recordBytes: Infinity })
  writer.begin()
  return writer.inserted(writer.value(value, noRules, 1, '') ?? '', json)
}

/** Returns data as JSON. Strings, numbers and maps are written directly, without the checks that user values need. */
export function jsonText(value: AnyValue): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return quoteNumber(value)
  if (!(value instanceof Map)) return plainText(value, true)
  let text = ''
  for (const [key, item] of value as AnyValueMap) {
    text += (text === '' ? '{' : ',') + quote(key) + ':' + jsonText(item)
  }
  return text === '' ? '{}' : text + '}'
}
