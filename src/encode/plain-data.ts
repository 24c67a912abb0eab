import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { defaultLimits } from '../values/limits.ts'
import type { Rules } from '../values/record-rules.ts'
import { quote, numberToJson } from './json/quote.ts'
import { TextWalk } from './walk/text-walk.ts'
import { noRules } from './walk/walk.ts'

/** The rules for data that has already been redacted, serialized and limited. Only `recordBytes` still applies. */
export const plainRules: Rules = {
  redaction: { root: noRules, patterns: undefined, redactsCredentialHeaders: false },
  serializers: new Map(),
  limits: { ...defaultLimits, depth: Infinity, attributes: Infinity, items: Infinity, stringLength: Infinity },
}

let textWalk: TextWalk | undefined

/** Returns data as text for a message. A string stays unchanged unless `asJson` is true; everything else is JSON. */
export function plainText(value: AnyValue, asJson = false): string {
  textWalk ??= new TextWalk({ ...plainRules.limits, recordBytes: Infinity })
  textWalk.begin()
  return textWalk.textForMessage(textWalk.value(value, noRules, 1, '') ?? '', asJson)
}

/** Returns data as JSON. */
export function dataToJson(value: AnyValue): string {
  return plainText(value, true)
}

/** A faster `dataToJson`: writes strings, numbers and maps directly, without the checks that user values need. */
export function jsonText(value: AnyValue): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberToJson(value)
  if (!(value instanceof Map)) return dataToJson(value)
  let text = ''
  for (const [key, item] of value as AnyValueMap) {
    text += (text === '' ? '{' : ',') + quote(key) + ':' + jsonText(item)
  }
  return text === '' ? '{}' : text + '}'
}
