import { cutRecord, cutText, exceptionType, truncatedKey, truncatedText, type CuttableAttribute } from './cut-record.ts'
import { splitMembers, stringEnd } from './json-members.ts'
import { stringText } from '../walk/markers.ts'
import { quote, utf8Length } from './quote.ts'

/**
 * Cuts a line to at most `maxBytes`, if it is longer. Core fields are never cut. Works on finished text, so no user code runs and no
 * redacted value reappears.
 *
 * @param make - builds a line from the message and the attributes
 * @param slack - how many bytes more to cut, because `make` may add as many
 */
export function fitLine(
  line: string,
  maxBytes: number,
  message: string | undefined,
  attributes: string,
  make: (message: string | undefined, attributes: string) => string,
  slack: number = 0,
): string {
  const excess = utf8Length(line) - maxBytes
  if (excess <= 0) return line
  const members = splitMembers(attributes).map((text) => new Member(text))
  let cut = message
  const body = message === undefined ? undefined : { bytes: utf8Length(message), cut: cutMessage }
  cutRecord(members, body, excess + slack)
  const fitted = make(cut, members.map(({ text }) => text).join())
  if (utf8Length(fitted) <= maxBytes) return fitted

  // The keys alone are too long, so only the core fields, the exception type and the message are kept.
  const type = members.filter(({ key }) => key === exceptionType)
  for (const member of type) member.cut(member.bytes - longestType)
  const truncated = `${quote(truncatedKey)}:${quote(truncatedText(members.length - type.length))}`
  const least = [...type.map(({ text }) => text), truncated].join()
  cut = message
  cutMessage(utf8Length(make(message, least)) - maxBytes)
  return make(cut, least)

  function cutMessage(bytes: number): number {
    if (message === undefined || bytes <= 0) return 0
    cut = cutString(message, bytes)
    return utf8Length(message) - utf8Length(cut)
  }
}

/** The longest exception type that is kept unchanged if not even the keys fit, in bytes including its key. */
const longestType = 256

/** A member of a JSON object, as text. */
class Member implements CuttableAttribute {
  text: string
  readonly key: string
  readonly bytes: number
  private readonly colon: number

  constructor(text: string) {
    this.text = text
    this.bytes = utf8Length(text)
    const end = stringEnd(text, 0)
    this.key = text.slice(1, end - 1)
    this.colon = end + 1
  }

  cut(excess: number): number {
    const cut = cutMember(this.text, this.colon, this.bytes, excess)
    const saved = this.bytes - utf8Length(cut)
    if (saved <= 0) return 0
    this.text = cut
    return saved
  }
}

/** Shortens a member by `excess` bytes, or by as much as possible. */
function cutMember(text: string, colon: number, bytes: number, excess: number): string {
  if (excess <= 0) return text
  const key = text.slice(0, colon)
  const value = text.slice(colon)
  return key + (value.startsWith('"') ? cutString(value, excess) : quote(cutText(bytes - utf8Length(key))))
}

/** Shortens a JSON string by `excess` bytes, including the marker that counts the removed part. */
function cutString(json: string, excess: number): string {
  const text = JSON.parse(json) as string
  const bytes = utf8Length(json)
  // The positions of escapes are unknown, so the string is shortened in proportion to the bytes, then halved until it fits.
  for (let length = Math.floor(text.length * Math.max(0, 1 - (excess + 40) / bytes)); ; length >>= 1) {
    const cut = quote(stringText(text, length))
    if (utf8Length(cut) <= bytes - excess || length === 0) return cut
  }
}
