import { stringText } from './markers.ts'
import { quote, utf8Length } from './quote.ts'

/**
 * A line that may be longer than a record may be: cut until it fits. The largest attributes give way first, then the
 * message; core fields and the exception's type never do. `make` puts message and attributes back into a line.
 * All is done on finished text, so no user code runs and nothing that was redacted comes back.
 */
export function fitLine(
  line: string,
  maxBytes: number,
  message: string | undefined,
  attributes: string,
  make: (message: string | undefined, attributes: string) => string,
): string {
  const excess = utf8Length(line) - maxBytes
  if (excess <= 0) return line
  const members = splitMembers(attributes)
  const fitted = cutMessage(cutLargest(members, excess).join(), maxBytes, message, make)
  if (utf8Length(fitted) <= maxBytes) return fitted
  // So many members that their keys alone are too long: then only what identifies the record is left.
  const type = members
    .filter(isExceptionType)
    .map((text) => cutMember(text, utf8Length(text), utf8Length(text) - longestType))
  const truncated = `${quote('[truncated]')}:${quote(`+${members.length - type.length} keys`)}`
  return cutMessage([...type, truncated].join(), maxBytes, message, make)
}

/** The longest exception type that is kept as it is where not even keys have room, in bytes with its key. */
const longestType = 256

function isExceptionType(member: string): boolean {
  return member.startsWith('"exception.type":')
}

/** The members, the largest ones cut until they are shorter by `excess` bytes, or all are cut. */
function cutLargest(texts: readonly string[], excess: number): string[] {
  const members = texts.map((text) => ({ text, bytes: utf8Length(text) }))
  const largestFirst = members.toSorted((one, other) => other.bytes - one.bytes)
  for (const member of largestFirst) {
    if (excess <= 0) break
    if (isExceptionType(member.text)) continue
    const cut = cutMember(member.text, member.bytes, excess)
    const bytes = utf8Length(cut)
    if (bytes >= member.bytes) continue
    excess -= member.bytes - bytes
    member.text = cut
  }
  return members.map(({ text }) => text)
}

/** The line with these attributes, the message cut where it is still too long. */
function cutMessage(
  attributes: string,
  maxBytes: number,
  message: string | undefined,
  make: (message: string | undefined, attributes: string) => string,
): string {
  const line = make(message, attributes)
  const excess = utf8Length(line) - maxBytes
  return excess > 0 && message !== undefined ? make(cutString(message, excess), attributes) : line
}

/** Makes a member shorter by `excess` bytes where that is possible, else by as much as can be. */
function cutMember(text: string, bytes: number, excess: number): string {
  if (excess <= 0) return text
  const colon = stringEnd(text, 0) + 1 // behind the colon
  const key = text.slice(0, colon)
  const value = text.slice(colon)
  return key + (value.startsWith('"') ? cutString(value, excess) : quote(`[Cut: ${bytes - utf8Length(key)} bytes]`))
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

/** The members of a JSON object's inside, as text. The text is our own, so it is well formed. */
function splitMembers(text: string): string[] {
  const members: string[] = []
  let start = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = stringEnd(text, i)
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    else if (code === 44 && depth === 0) {
      members.push(text.slice(start, i))
      start = i + 1
    }
    if (code === 34) i--
  }
  if (start < text.length) members.push(text.slice(start))
  return members
}

/** The position behind the string literal that starts at `from`. */
function stringEnd(text: string, from: number): number {
  let i = from + 1
  while (text.charCodeAt(i) !== 34) i += text.charCodeAt(i) === 92 ? 2 : 1
  return i + 1
}
