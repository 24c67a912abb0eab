import { allOf, flat } from '../json/quote.ts'

/**
 * The wire format of Protocol Buffers, in strings of one byte a character: so a message is text like any other on its way to
 * the queue. (https://protobuf.dev/programming-guides/encoding/)
 */

const bytes: readonly string[] = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))

/** A varint of a whole number below 2^53; of anything else, one that has an end: what is no such number is 0. */
export function varint(value: number): string {
  if (value < 128) return bytes[value] ?? varint(Math.max(0, Math.floor(value)))
  if (value < 16_384) return bytes[(value & 127) | 128]! + bytes[value >> 7]!
  if (value < 2_097_152) return String.fromCharCode((value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14)
  if (!(value <= Number.MAX_SAFE_INTEGER)) return varint(0)
  let text = ''
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) text += bytes[(left % 128) | 128]!
  return text + bytes[left]!
}

/** How many bytes `varint` makes. */
export function varintLength(value: number): number {
  let length = 1
  if (value > Number.MAX_SAFE_INTEGER) return length
  for (let left = value; left >= 128; left = Math.floor(left / 128)) length++
  return length
}

/** A varint of a signed integer of 64 bits: a negative one has ten bytes. */
export function varint64(value: number | bigint): string {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return varint(value)
  let text = ''
  let left = BigInt.asUintN(64, BigInt(value))
  for (; left >= 128n; left >>= 7n) text += bytes[Number(left & 127n) | 128]!
  return text + bytes[Number(left)]!
}

const eight = new DataView(new ArrayBuffer(8))

/** Eight bytes of a double, the lowest first. */
export function double(value: number): string {
  eight.setFloat64(0, value, true)
  return eightBytes()
}

/** Eight bytes of an unsigned integer, given as decimal text. */
export function fixed64(decimal: string): string {
  eight.setBigUint64(0, BigInt(decimal), true)
  return eightBytes()
}

/** Four bytes of an unsigned integer. */
export function fixed32(value: number): string {
  return String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255)
}

/** What stands in front of something that has so many bytes, for each length of one byte. */
export function prefixes(prefix: (length: number) => string): readonly string[] {
  return Array.from({ length: 128 }, (_, length) => flat(prefix(length)))
}

/** A field of bytes, of text or of a message: its tag, its length and itself. */
export function bytesField(tag: string, content: string): string {
  return tag + varint(content.length) + content
}

const ascii = allOf('[\\0-\\x7f]')
const notAscii = /[\u0080-\uffff]/
/** Up to here a loop is faster than a regular expression. */
const shortText = 12
/** Up to here it is faster to search a text than to match all of it. */
const searchedText = 40

function isAscii(text: string): boolean {
  const { length } = text
  if (length > searchedText) return ascii.test(text)
  if (length > shortText) return !notAscii.test(text)
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}
const encoder = new TextEncoder()

/** The UTF-8 form of a text; half a surrogate pair is U+FFFD (JS11). */
export function utf8(text: string): string {
  return isAscii(text) ? text : binary(encoder.encode(text))
}

const mostArguments = 8_192

/** Bytes as text, one of them a character. */
export function binary(from: Uint8Array): string {
  let text = ''
  for (let at = 0; at < from.length; at += mostArguments) {
    text += String.fromCharCode(...from.subarray(at, at + mostArguments))
  }
  return text
}

/** The bytes of such a text. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The bytes that an even number of hex digits stand for. */
export function hexBytes(hex: string): string {
  let text = ''
  for (let at = 0; at < hex.length; at += 2) text += bytes[Number.parseInt(hex.slice(at, at + 2), 16)]!
  return text
}

/** The text that UTF-8 bytes stand for. */
export function utf8Text(text: string): string {
  return ascii.test(text) ? text : decoder.decode(bytesOf(text))
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** A field of a message. */
export interface Field {
  readonly number: number
  /** All of it; whoever changes a message puts another one here. */
  text: string
  /** What stands behind its length; '' where its wire type has none. */
  readonly content: string
}

/** The fields of a message that was made here, in order. */
export function fieldsOf(message: string): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length;) {
    const [tag, start] = readVarint(message, at)
    const wireType = tag & 7
    let end = start
    let content = ''
    if (wireType === 2) {
      const [length, from] = readVarint(message, start)
      end = from + length
      content = message.slice(from, end)
    } else if (wireType === 0) {
      end = readVarint(message, start)[1]
    } else {
      end = start + (wireType === 1 ? 8 : 4)
    }
    fields.push({ number: tag >> 3, text: message.slice(at, end), content })
    at = end
  }
  return fields
}

/** A varint, and the position behind it. */
function readVarint(text: string, from: number): readonly [value: number, end: number] {
  let value = 0
  let at = from
  for (let scale = 1; ; scale *= 128) {
    const byte = text.charCodeAt(at++)
    value += (byte & 127) * scale
    if (byte < 128) return [value, at]
  }
}

function eightBytes(): string {
  const view = eight
  return String.fromCharCode(
    view.getUint8(0),
    view.getUint8(1),
    view.getUint8(2),
    view.getUint8(3),
    view.getUint8(4),
    view.getUint8(5),
    view.getUint8(6),
    view.getUint8(7),
  )
}
