import type { ReadRecord } from '../record.ts'
import { ByteSearch } from './byte-search.ts'

/** The first bytes of lines of one form, up to the name of the member after the level. */
interface LevelHead {
  readonly bytes: Uint8Array
  /** The bits of each byte that are compared. Digits within texts, such as those of the time, can be any digits. */
  readonly mask: Uint8Array
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

  /** @param minSeverity - the lowest severity number of a line that is not of a low level */
  constructor(minSeverity: number) {
    this.minSeverity = minSeverity
  }

  /** Begins to read a buffer. */
  begin(): void {
    this.levelMember.begin()
    this.severityMember.begin()
  }

  /** Returns whether the level of a line is low. */
  isLow(bytes: Buffer, start: number, end: number): boolean {
    const { heads } = this
    // Only a whole line is a record.
    const last = bytes[end - 2] === carriageReturn ? end - 3 : end - 2
    if (bytes[last] !== closeBrace) return false
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index]!
      if (!matches(bytes, start, head)) continue
      // The most frequent forms are tested first.
      if (index > 0) [heads[index - 1], heads[index]] = [head, heads[index - 1]!]
      return (
        !this.levelMember.isIn(bytes, start + head.bytes.length, end) && !this.severityMember.isIn(bytes, start, end)
      )
    }
    return false
  }

  /** Learns the first bytes of a line that was parsed. */
  learn(bytes: Buffer, start: number, end: number, { format, severityNumber }: ReadRecord): void {
    if (severityNumber === 0 || severityNumber >= this.minSeverity || !formats.has(format)) return
    const head = levelHead(bytes.subarray(start, Math.min(end, start + maxHeadBytes)), nextNames.get(format))
    if (head === undefined || this.heads.some((known) => matches(bytes, start, known))) return
    if (this.heads.length >= maxHeads) this.heads.pop()
    this.heads.push(head)
  }
}

function matches(line: Buffer, start: number, { bytes, mask }: LevelHead): boolean {
  // The level, which differs most, is at the end.
  for (let at = bytes.length - 1; at >= 0; at--) if (((line[start + at]! ^ bytes[at]!) & mask[at]!) !== 0) return false
  return true
}

/** Returns the first bytes of a line up to the name after the level; undefined if a member before it is an object or has an escape. */
function levelHead(line: Buffer, nextName: string | undefined): LevelHead | undefined {
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
      return { bytes: Uint8Array.prototype.slice.call(line, 0, at), mask: mask.slice(0, at) }
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
