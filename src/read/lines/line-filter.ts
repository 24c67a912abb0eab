import type { ReadRecord } from '../record.ts'
import { ByteSearch } from './byte-search.ts'
import { LevelHeads } from './level-heads.ts'
import { endOfLine, isPlainJson } from './plain-json-line.ts'

/**
 * Which records are needed. Lines that cannot be needed are not parsed where their bytes show it; the reader may give out other records and
 * lines, so the caller tests each record.
 */
export interface NeededRecords {
  /** Records with a lower severity number are not needed. Records without one are. */
  readonly minSeverity?: number | undefined
  /**
   * Groups of texts. Of each group, at least one text is in the lines of each record that is needed. The texts have only characters that JSON
   * does not escape.
   */
  readonly texts?: readonly (readonly string[])[] | undefined
}

/** Finds the JSON lines that are not needed, by their bytes. */
export class LineFilter {
  /** The number of lines that the last call of `skip` passed. */
  skippedLines = 0
  private readonly groups: readonly (readonly ByteSearch[])[]
  private readonly heads: LevelHeads | undefined
  /** Characters that are escaped although they need not be. They can be in a text that is searched, or in the name of a member. */
  private readonly escapes = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', '\\u007'].map(
    (text) => new ByteSearch(text),
  )
  private readonly anyEscape = new ByteSearch('\\u00')
  /** A message that is an array, whose items LogTape's reader joins. A text that is searched can be in several of them. */
  private readonly joinedMessage = new ByteSearch('"message":[')

  /**
   * @param hasKnownLevels - whether levels are where the formats have them
   */
  constructor({ minSeverity = 0, texts = [] }: NeededRecords, hasKnownLevels: boolean) {
    this.groups = texts.map((group) => group.map((text) => new ByteSearch(text)))
    this.heads = minSeverity > 1 && hasKnownLevels ? new LevelHeads(minSeverity) : undefined
  }

  /** Begins to read a buffer. */
  begin(bytes: Buffer): void {
    this.heads?.begin(bytes)
    this.anyEscape.begin()
    this.joinedMessage.begin()
    for (const escape of this.escapes) escape.begin()
    for (const group of this.groups) for (const text of group) text.begin()
  }

  /**
   * Returns the position after the lines that are not needed. They are JSON without an envelope, and so is the line after them: other lines
   * can be a stack trace, or be in another container and have one of the record before them.
   */
  skip(bytes: Buffer, start: number): number {
    let at = start
    let lines = 0
    if (isPlainJson(bytes, at)) {
      for (let end = endOfLine(bytes, at); isPlainJson(bytes, end); end = endOfLine(bytes, at)) {
        if (!this.canSkip(bytes, at, end)) break
        at = end
        lines++
      }
    }
    this.skippedLines = lines
    return at
  }

  /** Returns whether a JSON line without an envelope is not needed. */
  canSkip(bytes: Buffer, start: number, end: number): boolean {
    if (!this.lacksText(bytes, start, end) && this.heads?.isLow(bytes, start, end) !== true) return false
    return !this.anyEscape.isIn(bytes, start, end) || !this.escapes.some((escape) => escape.isIn(bytes, start, end))
  }

  /** Learns from a line that was parsed. */
  learn(bytes: Buffer, start: number, end: number, records: readonly ReadRecord[]): void {
    if (records.length === 1) this.heads?.learn(bytes, start, end, records[0]!)
  }

  private lacksText(bytes: Buffer, start: number, end: number): boolean {
    for (const group of this.groups) {
      let isFound = false
      for (const text of group) isFound ||= text.isIn(bytes, start, end)
      if (!isFound) return beginsWithTimestamp(bytes, start) || !this.joinedMessage.isIn(bytes, start, end)
    }
    return false
  }
}

/**
 * Returns whether a line begins with `{"timestamp":"`, as those of this package do. LogTape writes a timestamp as a number, or
 * `@timestamp`.
 */
function beginsWithTimestamp(bytes: Buffer, start: number): boolean {
  for (let index = 0; index < timestampStart.length; index++)
    if (bytes[start + index] !== timestampStart[index]) return false
  return true
}

const timestampStart = Buffer.from('{"timestamp":"')
