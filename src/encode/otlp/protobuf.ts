import { allOf, flattenString } from '../json/quote.ts'

// The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/), in strings with one byte in each character, so
// that a message is queued like any other text.

const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))

/** Returns the varint of an integer from 0 to 2^53 - 1. A fraction is rounded down; NaN, a negative and a greater number become 0. */
export function varint(value: number): string {
  if (value < 128) return byteCharacters[value] ?? varint(Math.max(0, Math.floor(value)))
  if (value < 16_384) return byteCharacters[(value & 127) | 128]! + byteCharacters[value >> 7]!
  if (value < 2_097_152) return String.fromCharCode((value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14)
  if (!(value <= Number.MAX_SAFE_INTEGER)) return varint(0)
  let text = ''
  let remaining = value
  for (; remaining >= 128; remaining = Math.floor(remaining / 128)) text += byteCharacters[(remaining % 128) | 128]!
  return text + byteCharacters[remaining]!
}

/** Returns the number of bytes of the varint that `varint` returns. */
export function varintLength(value: number): number {
  let length = 1
  if (value > Number.MAX_SAFE_INTEGER) return length
  for (let remaining = value; remaining >= 128; remaining = Math.floor(remaining / 128)) length++
  return length
}

/** Returns the varint of a signed 64-bit integer. A negative one has ten bytes. */
export function varint64(value: number | bigint): string {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return varint(value)
  let text = ''
  let remaining = BigInt.asUintN(64, BigInt(value))
  for (; remaining >= 128n; remaining >>= 7n) text += byteCharacters[Number(remaining & 127n) | 128]!
  return text + byteCharacters[Number(remaining)]!
}

const eightByteView = new DataView(new ArrayBuffer(8))

/** Returns the eight bytes of a double, in little-endian order. */
export function double(value: number): string {
  eightByteView.setFloat64(0, value, true)
  return eightByteText()
}

/** Returns the eight bytes of an unsigned integer, given as decimal text. */
export function fixed64(decimal: string): string {
  eightByteView.setBigUint64(0, BigInt(decimal), true)
  return eightByteText()
}

/** Returns the four bytes of an unsigned integer. */
export function fixed32(value: number): string {
  return String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255)
}

/** Returns the prefix of a value for each length whose varint has one byte (0 to 127). */
export function prefixesByLength(prefix: (length: number) => string): readonly string[] {
  return Array.from({ length: 128 }, (_, length) => flattenString(prefix(length)))
}

/** Returns a field of bytes, text or a message: its tag, its length and its content. */
export function bytesField(tag: string, content: string): string {
  return tag + varint(content.length) + content
}

const ascii = allOf('[\\0-\\x7f]')
const notAscii = /[\u0080-\uffff]/
/** Up to this number of UTF-16 units, a loop is faster than a regular expression. */
const maxLoopLength = 12
/** Up to this number of UTF-16 units, searching for a character that is not ASCII is faster than matching the whole text. */
const maxSearchLength = 40

function isAscii(text: string): boolean {
  const { length } = text
  if (length > maxSearchLength) return ascii.test(text)
  if (length > maxLoopLength) return !notAscii.test(text)
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}
const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a text, in a text with one byte in each character. A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): string {
  return isAscii(text) ? text : binaryText(encoder.encode(text))
}

/** How many bytes are passed to one call. V8 limits the number of arguments. */
const maxArguments = 8_192

/** Returns bytes as text with one byte in each character. */
export function binaryText(from: Uint8Array): string {
  let text = ''
  for (let at = 0; at < from.length; at += maxArguments) {
    text += String.fromCharCode(...from.subarray(at, at + maxArguments))
  }
  return text
}

/** Returns the bytes of a text with one byte in each character. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Returns the bytes of an even number of hexadecimal digits. */
export function hexBytes(hex: string): string {
  let text = ''
  for (let at = 0; at < hex.length; at += 2) text += byteCharacters[Number.parseInt(hex.slice(at, at + 2), 16)]!
  return text
}

/** Returns the text of UTF-8 bytes, which are in a text with one byte in each character. */
export function decodeUtf8(bytes: string): string {
  return ascii.test(bytes) ? bytes : decoder.decode(bytesOf(bytes))
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** A field of a message. */
export interface Field {
  readonly number: number
  /** The whole field, with its tag. A caller that changes the message assigns a new text. */
  text: string
  /** The bytes after the length; '' if the wire type has no length. */
  readonly content: string
}

/** Returns the fields of a message that this package has written, in order. */
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

/** Reads a varint. Returns its value and the position after it. */
function readVarint(text: string, from: number): readonly [value: number, end: number] {
  let value = 0
  let at = from
  for (let scale = 1; ; scale *= 128) {
    const byte = text.charCodeAt(at++)
    value += (byte & 127) * scale
    if (byte < 128) return [value, at]
  }
}

function eightByteText(): string {
  const view = eightByteView
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
