import type { AnyValue } from '../record/any-value.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import { longestMarker, stringText } from './markers.ts'
import { plainText } from './plain.ts'
import { utf8Length } from './quote.ts'
import { resolveRecord } from './resolve.ts'

/**
 * A record that is too long for a format whose text cannot be cut: it is walked into data, the largest attributes are cut
 * first and then the message, until `encode` makes at most `maxBytes` of it. What identifies the record stays, an
 * exception's type among it. As `fitLine` does for lines of JSON, and as rare.
 */
export function fitRecord(
  record: LogRecord,
  rules: Rules,
  maxBytes: number,
  encode: (record: LogRecord) => string,
): string {
  const data = resolveRecord(record, rules)
  const attributes = new Map([...data.bound.attributes, ...(data.attributes as ReadonlyMap<string, AnyValue>)])
  const bound = {
    ...data.bound,
    attributes: new Map<string, AnyValue>(),
    rendered: { by: undefined, value: undefined },
  }
  const cut: LogRecord = { ...data, bound, attributes }
  let text = encode(cut)
  let excess = utf8Length(text) - maxBytes
  const sizes = Array.from(attributes, ([key, value]) => ({ key, bytes: utf8Length(plainText(value, true)) }))
  for (const { key, bytes } of sizes.toSorted((one, other) => other.bytes - one.bytes)) {
    if (excess <= 0) break
    if (key === 'exception.type') continue
    const short = shorter(attributes.get(key)!, bytes, excess)
    const saved = bytes - utf8Length(plainText(short, true))
    if (saved <= 0) continue
    attributes.set(key, short)
    excess -= saved
  }
  text = encode(cut)
  if (typeof cut.body === 'string') {
    const { body } = cut
    for (let length = body.length; utf8Length(text) > maxBytes && length > 0;) {
      length = Math.min(length >> 1, Math.max(0, body.length - (utf8Length(text) - maxBytes) - longestMarker))
      cut.body = stringText(body, length)
      text = encode(cut)
    }
  }
  if (utf8Length(text) <= maxBytes) return text
  const type = attributes.get('exception.type')
  cut.attributes = new Map<string, AnyValue>([
    ...(type === undefined ? [] : [['exception.type', type] as const]),
    ['[truncated]', `+${attributes.size} keys`],
  ])
  return encode(cut)
}

/** A value that takes some `excess` bytes less, or as many as can be. */
function shorter(value: AnyValue, bytes: number, excess: number): AnyValue {
  if (typeof value !== 'string') return `[Cut: ${bytes} bytes]`
  // What escapes cost is not known by position: a string shorter by the same share, and some more.
  const kept = Math.floor(value.length * Math.max(0, 1 - (excess * 1.05 + longestMarker) / bytes))
  return stringText(value, kept)
}
