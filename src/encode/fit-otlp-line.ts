import { longestMarker, stringText } from './markers.ts'
import { jsonOf, utf8Length } from './quote.ts'

/** A line of OTLP/JSON as far as it can be cut. */
interface Request {
  readonly resourceLogs: readonly [{ readonly scopeLogs: readonly [{ readonly logRecords: readonly [OtlpRecord] }] }]
}

interface OtlpRecord {
  body?: OtlpValue
  attributes?: { readonly key: string; value: OtlpValue }[]
}

interface OtlpValue {
  readonly stringValue?: string
}

/**
 * A line of OTLP/JSON that may be longer than a record may be: cut until it fits, as `fitLine` does for plain JSON. The
 * largest attributes give way first, then the body; an exception's type never does. All is done on the finished line, so no
 * user code runs and nothing that was redacted comes back.
 */
export function fitOtlpLine(line: string, maxBytes: number): string {
  let excess = utf8Length(line) - maxBytes
  if (excess <= 0) return line
  const request = JSON.parse(line) as Request
  const record = request.resourceLogs[0].scopeLogs[0].logRecords[0]
  const attributes = record.attributes ?? []
  const largestFirst = attributes
    .map((member) => ({ member, bytes: utf8Length(jsonOf(member.value)) }))
    .toSorted((one, other) => other.bytes - one.bytes)
  for (const { member, bytes } of largestFirst) {
    if (excess <= 0) break
    if (member.key === exceptionType) continue
    const value = shorter(member.value, bytes, excess)
    const saved = bytes - utf8Length(jsonOf(value))
    if (saved <= 0) continue
    member.value = value
    excess -= saved
  }
  if (excess > 0 && record.body !== undefined) {
    const bytes = utf8Length(jsonOf(record.body))
    record.body = shorter(record.body, bytes, excess)
    excess -= bytes - utf8Length(jsonOf(record.body))
  }
  if (excess > 0 && attributes.length > 0) {
    // So many members that their keys alone are too long: then only what identifies the record is left.
    const type = attributes.filter(({ key }) => key === exceptionType)
    const cut = { key: '[truncated]', value: { stringValue: `+${attributes.length - type.length} keys` } }
    record.attributes = [...type, cut]
  }
  return jsonOf(request) + '\n'
}

const exceptionType = 'exception.type'

/** A value that takes `excess` bytes less, or as many as can be. */
function shorter({ stringValue }: OtlpValue, bytes: number, excess: number): OtlpValue {
  if (stringValue === undefined) return { stringValue: `[Cut: ${bytes} bytes]` }
  // What escapes cost is not known by position: a string shorter by the same share is a guess, made twice smaller until it
  // fits.
  const share = Math.max(0, 1 - (excess + longestMarker) / bytes)
  for (let length = Math.floor(stringValue.length * share); ; length >>= 1) {
    const cut = { stringValue: stringText(stringValue, length) }
    if (utf8Length(jsonOf(cut)) <= bytes - excess || length === 0) return cut
  }
}
