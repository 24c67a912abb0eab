import type { ReadRecord } from '../record.ts'
import { ByteSearch } from './byte-search.ts'

/** The first bytes of lines of one form, up to the name of the member after the level, as words of four bytes. The last two overlap. */
interface LevelHead {
  readonly length: number
  readonly words: Int32Array
  /** The bits of each word that are compared. Digits within texts, such as those of the time, can be any digits. */
  readonly masks: Int32Array
  /** Whether a later member can have the severity number. */
  readonly checksNumber: boolean
}

/** The formats whose level follows from the first members. In other formats, later members can have precedence. */
const formats: ReadonlySet<string> = new Set(['sluice', 'pino', 'bunyan'])
/** The member after the level in these formats, which distinguishes them from others. Bunyan's lines can have any. */
const nextNames: ReadonlyMap<string, string> = new Map([
  ['sluice', 'message'],
  ['pino', 'time'],
])
const maxHeads = 16
const maxHeadBytes = 512

/**
 * Recognizes JSON lines of a low level by their first bytes, without parsing them. The bytes are learned from lines that were parsed. A line
 * that could have another level by a later member is not recognized.
 */
export class LevelHeads {
  private readonly minSeverity: number
  private readonly heads: LevelHead[] = []
  private readonly levelMember = new ByteSearch('level":')
  private readonly severityMember = new ByteSearch('"severity_number":')
  private view: DataView = new DataView(new ArrayBuffer(0))

  /** @param minSeverity - the lowest severity number of a line that is not of a low level */
  constructor(minSeverity: number) {
    this.minSeverity = minSeverity
  }

  /** Begins to read a buffer. */
  begin(bytes: Buffer): void {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.levelMember.begin()
    this.severityMember.begin()
  }

  /** Returns whether the level of a line is low. */
  isLow(bytes: Buffer, start: number, end: number): boolean {
    const { heads, view } = this
    // Only a whole line is a record.
    const last = bytes[end - 2] === carriageReturn ? end - 3 : end - 2
    if (bytes[last] !== closeBrace) return false
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index]!
      if (!matches(view, start, end, head)) continue
      // The most frequent forms are tested first.
      if (index > 0) [heads[index - 1], heads[index]] = [head, heads[index - 1]!]
      if (this.levelMember.isIn(bytes, start + head.length, end)) return false
      return !head.checksNumber || !this.severityMember.isIn(bytes, start, end)
    }
    return false
  }

  /** Learns the first bytes of a line that was parsed. */
  learn(bytes: Buffer, start: number, end: number, { format, severityNumber }: ReadRecord): void {
    if (severityNumber === 0 || severityNumber >= this.minSeverity || !formats.has(format)) return
    const head = levelHead(bytes.subarray(start, Math.min(end, start + maxHeadBytes)), nextNames.get(format))
    if (head === undefined || this.heads.some((known) => matches(this.view, start, end, known))) return
    if (this.heads.length >= maxHeads) this.heads.pop()
    // This package writes the number before the message, and it is of the same range as the level.
    const isRangeStart = this.minSeverity % 4 === 1
    this.heads.push({ ...head, checksNumber: format !== 'sluice' || !isRangeStart })
  }
}

function matches(view: DataView, start: number, end: number, { length, words, masks }: LevelHead): boolean {
  if (end - start < length) return false
  // The level, which differs most, is at the end.
  let at = words.length - 1
  if (((view.getInt32(start + length - 4) ^ words[at]!) & masks[at]!) !== 0) return false
  while (--at >= 0) if (((view.getInt32(start + at * 4) ^ words[at]!) & masks[at]!) !== 0) return false
  return true
}

/** Returns words of four bytes, the last of which ends with the bytes. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const words = new Int32Array(Math.ceil(bytes.length / 4))
  for (let at = 0; at < words.length; at++) words[at] = view.getInt32(Math.min(at * 4, bytes.length - 4))
  return words
}

/** Returns the first bytes of a line up to the name after the level; undefined if a member before it is an object or has an escape. */
function levelHead(line: Buffer, nextName: string | undefined): Omit<LevelHead, 'checksNumber'> | undefined {
  const mask = new Uint8Array(line.length).fill(0xff)
  let at = 1
  let isAfterLevel = false
  for (;;) {
    const nameEnd = textEnd(line, at)
    if (nameEnd < 0 || line[nameEnd + 1] !== colon) return undefined
    const name = line.toString('latin1', at + 1, nameEnd)
    at = nameEnd + 2
    if (isAfterLevel) {
      if (nextName !== undefined && name !== nextName) return undefined
      return { length: at, words: wordsOf(line.subarray(0, at)), masks: wordsOf(mask.subarray(0, at)) }
    }
    const valueEnd = line[at] === quote ? textEnd(line, at) + 1 : scalarEnd(line, at)
    if (valueEnd <= at || line[valueEnd] !== comma) return undefined
    isAfterLevel = name === 'level'
    if (!isAfterLevel && line[at] === quote) maskDigits(line, mask, at, valueEnd)
    at = valueEnd + 1
  }
}

/** Returns the position of the quote that ends a text; -1 if the text has an escape or does not end. */
function textEnd(line: Buffer, start: number): number {
  if (line[start] !== quote) return -1
  const end = line.indexOf(quote, start + 1)
  const escape = line.indexOf(backslash, start)
  return escape >= 0 && escape < end ? -1 : end
}

function scalarEnd(line: Buffer, start: number): number {
  let at = start
  while (at < line.length && line[at] !== comma) {
    const byte = line[at]!
    if (byte === quote || byte === openBrace || byte === openBracket) return -1
    at++
  }
  return at
}

function maskDigits(line: Buffer, mask: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = line[at]!
    // The other bytes with these four bits are signs that have no meaning in a text of JSON.
    if (byte >= 48 && byte <= 57) mask[at] = 0xf0
  }
}

const carriageReturn = 13
const quote = 34
const comma = 44
const colon = 58
const openBracket = 91
const backslash = 92
const openBrace = 123
const closeBrace = 125
