import { sgr, type Paint } from '../encode/pretty/colors.ts'
import type { MeasuredText } from '../encode/pretty/inline.ts'
import { paintStatus, statusColor } from '../encode/pretty/request.ts'
import type { ByteText } from './byte-text.ts'
import { requestFields } from './member-names.ts'

const [method, path, route, status] = [0, 1, 2, 3] as const
const fieldCount = requestFields.length

/** The fields of a request in the attributes of a simple line. */
export class SimpleRequest {
  /** Whether the attributes are of an HTTP request. */
  isRequest = false
  /** Whether the status is a number. */
  hasStatus = false
  private readonly out: ByteText
  private readonly paint: Paint
  /** Where the values are, without quotes; -1 without a value. */
  private readonly starts = new Int32Array(fieldCount)
  private readonly ends = new Int32Array(fieldCount)
  /** Each status with its color. */
  private readonly statusTexts: Uint8Array[] = []

  constructor(out: ByteText, paint: Paint) {
    this.out = out
    this.paint = paint
  }

  /** Begins a record, which has no fields. */
  begin(): void {
    this.isRequest = false
    this.hasStatus = false
    for (let field = 0; field < fieldCount; field++) this.starts[field] = -1
  }

  /** Sets a field. Returns whether it can be shown without its value. */
  setField(field: number, bytes: Buffer, start: number, end: number): boolean {
    const isText = bytes[start] === quote
    // Only strings and numbers are shown with a request.
    if (bytes[start]! > nine) return false
    if (field === method) this.isRequest = isText
    if (field === status && !isText) {
      if (!isThreeDigits(bytes, start, end)) return false
      this.hasStatus = true
    }
    this.starts[field] = isText ? start + 1 : start
    this.ends[field] = isText ? end - 1 : end
    return true
  }

  /** Adds a message, with its first word that is the status in color. */
  addWithStatus(bytes: Buffer, start: number, end: number): void {
    const { out } = this
    const from = this.starts[status]!
    const word = indexOfWord(bytes, start, end, from, from + 3)
    if (word < 0) return out.addPart(bytes, start, end)
    out.addPart(bytes, start, word)
    out.add(this.painted(this.statusNumber(bytes)))
    out.addPart(bytes, word + 3, end)
  }

  /** Returns the method, the path and the status of a request that a message does not contain; undefined if it contains all. */
  summary(bytes: Buffer, start: number, end: number): MeasuredText | undefined {
    if (!this.isRequest) return undefined
    const { starts, ends } = this
    let text = ''
    for (const field of [method, starts[path]! < 0 ? route : path, status]) {
      const from = starts[field]!
      const to = ends[field]!
      if (from < 0 || from === to || indexOfWord(bytes, start, end, from, to) >= 0) continue
      text += `${text === '' ? '' : ' '}${bytes.toString('latin1', from, to)}`
    }
    if (text === '') return undefined
    if (starts[status]! < 0) return { text: this.paint(sgr.dim, text), width: text.length }
    const shown = this.hasStatus ? paintStatus(text, this.statusNumber(bytes), this.paint) : text
    return { text: shown, width: text.length }
  }

  private painted(number: number): Uint8Array {
    let text = this.statusTexts[number]
    if (text === undefined) this.statusTexts[number] = text = Buffer.from(this.paint(statusColor(number), `${number}`))
    return text
  }

  private statusNumber(bytes: Buffer): number {
    const from = this.starts[status]!
    return (bytes[from]! - zero) * 100 + (bytes[from + 1]! - zero) * 10 + bytes[from + 2]! - zero
  }
}

function isThreeDigits(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== 3 || bytes[start] === zero) return false
  for (let at = start; at < end; at++) if (bytes[at]! < zero || bytes[at]! > nine) return false
  return true
}

/** Returns the position of a word in a part of the bytes that has spaces or the ends of the part around it; -1 without one. */
function indexOfWord(bytes: Buffer, start: number, end: number, wordStart: number, wordEnd: number): number {
  const length = wordEnd - wordStart
  const last = end - length
  for (let at = start; at <= last; at++) {
    // Only the beginnings of words are compared.
    if (at > start && bytes[at - 1] !== space) continue
    let index = 0
    while (index < length && bytes[at + index] === bytes[wordStart + index]) index++
    if (index === length && (at === last || bytes[at + length] === space)) return at
  }
  return -1
}

const space = 32
const quote = 34
const zero = 48
const nine = 57
