import {
  cutRecord,
  cutValueMarker,
  exceptionTypeKey,
  truncatedKey,
  removedKeysText,
  type CuttableAttribute,
} from './cut-record.ts'
import { splitMembers, stringEnd } from './json-members.ts'
import { cutWithMarker } from '../walk/markers.ts'
import { quote, utf8Length } from './quote.ts'

/**
 * Cuts a line to at most `maxBytes`, if it is longer. Only the message and the attributes are cut. Works on finished text, so no user code
 * runs and no redacted value reappears.
 *
 * @param message - a JSON string
 * @param attributes - JSON members, joined by commas, those of the exception included
 * @param buildLine - builds a line from the message and the attributes
 * @param maxAddedBytes - the maximum number of bytes that `buildLine` adds when it moves members; that many more bytes are cut
 */
export function fitLine(
  line: string,
  maxBytes: number,
  message: string | undefined,
  attributes: string,
  buildLine: (message: string | undefined, attributes: string) => string,
  maxAddedBytes: number = 0,
): string {
  const excess = utf8Length(line) - maxBytes
  if (excess <= 0) return line
  const members = splitMembers(attributes).map((text) => new MemberText(text))
  let shortenedMessage = message
  const cuttableMessage = message === undefined ? undefined : { bytes: utf8Length(message), cut: cutMessage }
  cutRecord(members, cuttableMessage, excess + maxAddedBytes)
  const fitted = buildLine(shortenedMessage, members.map(({ text }) => text).join())
  if (utf8Length(fitted) <= maxBytes) return fitted

  // The keys alone are too long, so only the core fields, the exception type and the message are kept.
  const typeMembers = members.filter(({ key }) => key === exceptionTypeKey)
  for (const member of typeMembers) member.cut(member.bytes - maxTypeBytes)
  const truncationMember = `${quote(truncatedKey)}:${quote(removedKeysText(members.length - typeMembers.length))}`
  const minimalMembers = [...typeMembers.map(({ text }) => text), truncationMember].join()
  shortenedMessage = message
  cutMessage(utf8Length(buildLine(message, minimalMembers)) - maxBytes)
  return buildLine(shortenedMessage, minimalMembers)

  function cutMessage(bytes: number): number {
    if (message === undefined || bytes <= 0) return 0
    shortenedMessage = cutString(message, bytes)
    return utf8Length(message) - utf8Length(shortenedMessage)
  }
}

/** The size of the largest exception type that is kept unchanged if not even the keys fit, in bytes including its key. */
const maxTypeBytes = 256

/** A member of a JSON object, as text. */
class MemberText implements CuttableAttribute {
  text: string
  readonly key: string
  readonly bytes: number
  private readonly valueStart: number

  constructor(text: string) {
    this.text = text
    this.bytes = utf8Length(text)
    const end = stringEnd(text, 0)
    this.key = text.slice(1, end - 1)
    this.valueStart = end + 1
  }

  cut(excess: number): number {
    const shortened = cutMember(this.text, this.valueStart, this.bytes, excess)
    const saved = this.bytes - utf8Length(shortened)
    if (saved <= 0) return 0
    this.text = shortened
    return saved
  }
}

/** Shortens a member by at least `excess` bytes if possible. A value that is not a string is replaced by a marker. */
function cutMember(text: string, valueStart: number, bytes: number, excess: number): string {
  if (excess <= 0) return text
  const key = text.slice(0, valueStart)
  const value = text.slice(valueStart)
  return key + (value.startsWith('"') ? cutString(value, excess) : quote(cutValueMarker(bytes - utf8Length(key))))
}

/** Shortens a JSON string by at least `excess` bytes if possible, with a marker that counts the removed part. */
function cutString(json: string, excess: number): string {
  const text = JSON.parse(json) as string
  const bytes = utf8Length(json)
  // The positions of escapes are unknown, so the string is shortened in proportion to the bytes, then halved until it fits. About 40 bytes
  // are for the marker.
  for (let length = Math.floor(text.length * Math.max(0, 1 - (excess + 40) / bytes)); ; length >>= 1) {
    const cut = quote(cutWithMarker(text, length))
    if (utf8Length(cut) <= bytes - excess || length === 0) return cut
  }
}
