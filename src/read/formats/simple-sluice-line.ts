import { hasBytesAt } from './same-bytes.ts'
import { levelOf, type ReadLevel } from './levels.ts'
import { endOfSimpleString, endOfSimpleValue } from './simple-members.ts'
import { noSource, SluiceLineCursor, type LineSource } from './sluice-line-cursor.ts'
import { timeOf } from './times.ts'

/** The maximum length of a simple line, in bytes. */
export const maxSimpleLength = 16_384
/** Lines with more attributes are not simple. */
const maxAttributes = 64
/** The numbers of one attribute: where its name, its value and the end of the value are. */
const numbersPerAttribute = 3

/**
 * Reads lines of the layout `sluice` from their bytes, which is several times as fast as from text. Only simple lines are read: those with
 * printable ASCII characters, no escapes, and the usual members. The fields describe the line that was read last.
 */
export class SimpleSluiceLine {
  /** The record of the line, if one was created. */
  record: object | undefined
  /** Milliseconds since the Unix epoch. */
  time: number = NaN
  level: ReadLevel = { name: '', severityNumber: 0, text: undefined }
  messageStart = 0
  messageEnd = 0
  /** Where the trace ID begins; -1 without a span. */
  traceStart = -1
  spanStart = -1
  traceFlags = 0
  source: LineSource = noSource
  /** The number of attributes. */
  count = 0
  /** Where the name, the value and the end of the value of each attribute are. The name begins with its quote. */
  readonly positions: Int32Array = new Int32Array(maxAttributes * numbersPerAttribute)
  /** The position of the first attribute; the position of the last character of the line if there are no attributes. */
  attributesStart = 0
  /** The beginning of the line up to the point before the milliseconds, and the time that it is. */
  private second: Uint8Array = noBytes
  private secondMillis = 0
  private levelBytes: Uint8Array = noBytes
  private readonly levels: { readonly level: ReadLevel; readonly bytes: Uint8Array }[] = []
  private sourceBytes: Uint8Array = noBytes
  /** Where the member after the span begins. */
  private afterSpan = 0
  private readonly cursor = new SluiceLineCursor()

  /**
   * Reads a line. Returns whether it is simple.
   *
   * @param end - the position of its line end
   */
  read(bytes: Buffer, start: number, end: number): boolean {
    this.record = undefined
    if (end - start > maxSimpleLength) return false
    if (!hasBytesAt(bytes, start, this.second) && !this.learnSecond(bytes, start)) return false
    let at = start + secondLength
    const fraction = digitOf[bytes[at]!]! * 100 + digitOf[bytes[at + 1]!]! * 10 + digitOf[bytes[at + 2]!]!
    if (fraction > 999 || !hasBytesAt(bytes, at + 3, levelKey)) return false
    this.time = this.secondMillis + fraction
    at += 3 + levelKey.length
    if (!hasBytesAt(bytes, at, this.levelBytes) && !this.changeLevel(bytes, at)) return false
    at += this.levelBytes.length
    this.messageStart = at
    at = endOfSimpleString(bytes, at - 1)
    this.messageEnd = at - 1
    return at > 0 && this.readSpan(bytes, at) && this.readAttributes(bytes, end)
  }

  private readSpan(bytes: Buffer, start: number): boolean {
    this.traceStart = -1
    this.afterSpan = start
    if (!hasBytesAt(bytes, start, traceKey)) return true
    const trace = start + traceKey.length
    const span = trace + 32 + spanKey.length
    const flags = span + 16
    const isSpan =
      hasBytesAt(bytes, trace + 32, spanKey) &&
      hasBytesAt(bytes, flags, flagsKey) &&
      (bytes[flags + flagsKey.length] === 48 || bytes[flags + flagsKey.length] === 49) &&
      bytes[flags + flagsKey.length + 1] === quote &&
      isId(bytes, trace, 32) &&
      isId(bytes, span, 16)
    this.traceStart = trace
    this.spanStart = span
    this.traceFlags = bytes[flags + flagsKey.length]! - 48
    this.afterSpan = flags + flagsKey.length + 2
    return isSpan
  }

  private readAttributes(bytes: Buffer, end: number): boolean {
    let at = this.afterSpan
    if (!this.hasLastSource(bytes, at) && !this.learnSource(bytes, at, end)) return false
    at += this.sourceBytes.length
    this.count = 0
    this.attributesStart = end - 1
    if (bytes[end - 1] !== closeBrace) return false
    if (at === end - 1) return true
    if (!hasBytesAt(bytes, at, attributesKey)) return false
    this.attributesStart = at += attributesKey.length
    return this.endOfAttributes(bytes, at) === end - 1
  }

  private endOfAttributes(bytes: Buffer, start: number): number {
    const { positions } = this
    let at = start
    if (bytes[at] === closeBrace) return at + 1
    for (let index = 0; index < positions.length; index += numbersPerAttribute) {
      positions[index] = at
      at = endOfSimpleString(bytes, at)
      if (at < 0 || bytes[at] !== colon) return -1
      positions[index + 1] = ++at
      at = endOfSimpleValue(bytes, at)
      if (at < 0) return -1
      positions[index + 2] = at
      this.count++
      const next = bytes[at++]
      if (next === closeBrace) return at
      if (next !== comma) return -1
    }
    return -1
  }

  private learnSecond(bytes: Buffer, start: number): boolean {
    const text = bytes.toString('latin1', start, start + secondLength)
    const time = secondPattern.test(text) ? timeOf(`${text.slice(timeStart)}000Z`) : undefined
    if (time === undefined) return false
    this.second = Buffer.from(text)
    this.secondMillis = time
    return true
  }

  /** Recognizes a level that was read before, or reads it. */
  private changeLevel(bytes: Buffer, start: number): boolean {
    const known = this.levels.find((each) => hasBytesAt(bytes, start, each.bytes))
    if (known === undefined) return this.learnLevel(bytes, start)
    this.level = known.level
    this.levelBytes = known.bytes
    return true
  }

  private learnLevel(bytes: Buffer, start: number): boolean {
    const end = bytes.indexOf(quote, start)
    const name = bytes.toString('latin1', start, end)
    if (end - start > maxLevelLength || !/^[\w -]+$/.test(name) || !hasBytesAt(bytes, end, messageKey)) return false
    const level = levelOf(name, 'names')
    if (level.severityNumber === 0) return false
    this.level = level
    this.levelBytes = Buffer.from(bytes.subarray(start, end + messageKey.length))
    if (this.levels.length < maxLevels) this.levels.push({ level, bytes: this.levelBytes })
    return true
  }

  /** Returns whether the source is that of the last line. Its members can begin with those of the last one. */
  private hasLastSource(bytes: Buffer, start: number): boolean {
    const next = start + this.sourceBytes.length
    return (
      hasBytesAt(bytes, start, this.sourceBytes) &&
      !hasBytesAt(bytes, next, ownKey) &&
      !hasBytesAt(bytes, next, serviceKey)
    )
  }

  private learnSource(bytes: Buffer, start: number, end: number): boolean {
    const { cursor } = this
    cursor.begin(bytes.toString('latin1', start, end))
    const source = cursor.source()
    if (cursor.position < 0 || !/^[ -~]*$/.test(source.members)) return false
    this.source = source
    this.sourceBytes = Buffer.from(source.members)
    return this.hasLastSource(bytes, start)
  }
}

/** Bytes that are in no line. */
const noBytes: Uint8Array = Buffer.from('\n')
const timeStart = '{"timestamp":"'.length
const secondLength = timeStart + '2026-01-01T00:00:00.'.length
const secondPattern = /^\{"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.$/
const maxLevelLength = 64
const maxLevels = 8
const levelKey: Uint8Array = Buffer.from('Z","level":"')
const messageKey: Uint8Array = Buffer.from('","message":"')
const traceKey: Uint8Array = Buffer.from(',"trace_id":"')
const spanKey: Uint8Array = Buffer.from('","span_id":"')
const flagsKey: Uint8Array = Buffer.from('","trace_flags":"0')
const ownKey: Uint8Array = Buffer.from(',"otel.')
const serviceKey: Uint8Array = Buffer.from(',"service.')
const attributesKey: Uint8Array = Buffer.from(',"attributes":{')
const quote = 34
const comma = 44
const colon = 58
const closeBrace = 125

/** The value of each decimal digit, and a large number for other characters. */
const digitOf: Uint16Array = Uint16Array.from({ length: 256 }, (_, unit) =>
  unit >= 48 && unit <= 57 ? unit - 48 : 1_000,
)

/** Returns whether the bytes at a place are lowercase hexadecimal digits, and not only zeros. */
function isId(bytes: Buffer, from: number, digits: number): boolean {
  let kinds = 0
  for (let at = from; at < from + digits; at++) kinds |= kindOf[bytes[at]!]!
  return (kinds & noDigit) === 0 && (kinds & otherDigit) !== 0
}

const otherDigit = 2
const noDigit = 4
/** The kind of each byte as a hexadecimal digit: 0 for zero. */
const kindOf: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) =>
  unit === 48 ? 0 : /[1-9a-f]/.test(String.fromCharCode(unit)) ? otherDigit : noDigit,
)
