import { cutRecord, cutText, exceptionType, truncatedKey, truncatedText, type Cuttable } from './cut-record.ts'
import { longestMarker, stringText } from './markers.ts'
import { jsonOf, utf8Length } from './quote.ts'

/** A record of OTLP/JSON as far as it can be cut. */
interface OtlpRecord {
  body?: OtlpValue
  attributes?: { readonly key: string; value: OtlpValue }[]
}

interface OtlpValue {
  readonly stringValue?: string
}

/**
 * A text that holds a record of OTLP/JSON at `from` and has more bytes than it may have, cut until it fits. All is done on the
 * finished text, so no user code runs and nothing that was redacted comes back.
 */
export function fitOtlpJson(text: string, from: number, maxBytes: number): string {
  const to = objectEnd(text, from)
  const record = JSON.parse(text.slice(from, to)) as OtlpRecord
  const attributes = record.attributes ?? []
  const fits = cutRecord(
    attributes.map((attribute) => ({
      key: attribute.key,
      ...cuttable(attribute.value, (value) => (attribute.value = value)),
    })),
    record.body === undefined ? undefined : cuttable(record.body, (value) => (record.body = value)),
    utf8Length(text) - maxBytes,
  )
  if (!fits && attributes.length > 0) {
    const type = attributes.filter(({ key }) => key === exceptionType)
    const cut = { key: truncatedKey, value: { stringValue: truncatedText(attributes.length - type.length) } }
    record.attributes = [...type, cut]
  }
  return text.slice(0, from) + jsonOf(record) + text.slice(to)
}

function cuttable(value: OtlpValue, set: (value: OtlpValue) => void): Cuttable {
  const bytes = utf8Length(jsonOf(value))
  return {
    bytes,
    cut(excess) {
      const cut = shorter(value, bytes, excess)
      const saved = bytes - utf8Length(jsonOf(cut))
      if (saved > 0) set(cut)
      return Math.max(0, saved)
    },
  }
}

/** A value that takes `excess` bytes less, or as many as can be. */
function shorter({ stringValue }: OtlpValue, bytes: number, excess: number): OtlpValue {
  if (stringValue === undefined) return { stringValue: cutText(bytes) }
  // What escapes cost is not known by position: a string shorter by the same share is a guess, made twice smaller until it
  // fits.
  const share = Math.max(0, 1 - (excess + longestMarker) / bytes)
  for (let length = Math.floor(stringValue.length * share); ; length >>= 1) {
    const cut = { stringValue: stringText(stringValue, length) }
    if (utf8Length(jsonOf(cut)) <= bytes - excess || length === 0) return cut
  }
}

/** The position behind the JSON object that begins at `from`. The text is our own, so it is well formed. */
function objectEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  do {
    const code = text.charCodeAt(at++)
    if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    else if (code === 34) {
      while (text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1
      at++
    }
  } while (depth > 0)
  return at
}
