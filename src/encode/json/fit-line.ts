import { cutRecord, cutText, exceptionType, truncatedKey, truncatedText, type CuttableAttribute } from './cut-record.ts'
import { splitMembers, stringEnd } from './json-members.ts'
import { stringText } from '../walk/markers.ts'
import { quote, utf8Length } from './quote.ts'

/**
 * A line that may be longer than a record may be: cut until it fits. Core fields are never cut. `make` puts message and
 * attributes back into a line. All is done on finished text, so no user code runs and nothing that was redacted comes back.
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

  // So many members that their keys alone are too long: then only what identifies the record is left.
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

/** The longest exception type that is kept as it is where not even keys have room, in bytes with its key. */
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

/** Makes a member shorter by `excess` bytes where that is possible, else by as much as can be. */
function cutMember(text: string, colon: number, bytes: number, excess: number): string {
  if (excess <= 0) return text
  const key = text.slice(0, colon)
  const value = text.slice(colon)
  return key + (value.startsWith('"') ? cutString(value, excess) : quote(cutText(bytes - utf8Length(key))))
}

/** Makes a JSON string shorter by `excess` bytes, with room for the marker that counts what is missing. */
function cutString(json: string, excess: number): string {
  const text = JSON.parse(json) as string
  const bytes = utf8Length(json)
  // What escapes cost is not known by position: a shorter string by the same share is a safe guess, made twice smaller
  // until it fits.
  for (let length = Math.floor(text.length * Math.max(0, 1 - (excess + 40) / bytes)); ; length >>= 1) {
    const cut = quote(stringText(text, length))
    if (utf8Length(cut) <= bytes - excess || length === 0) return cut
  }
}
