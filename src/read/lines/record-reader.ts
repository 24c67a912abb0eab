import { isAscii } from 'node:buffer'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { journalEnvelope } from '../envelopes/journald.ts'
import { isJournalEntry, readJournalEntry } from '../envelopes/journald-export.ts'
import { endOfOctetFrame } from '../envelopes/octet-frame.ts'
import type { LineChunk } from '../input/line-chunk.ts'
import type { FormatName } from '../record.ts'
import { readJsonRecords } from '../formats/json.ts'
import { SimpleSluiceLine } from '../formats/simple-sluice-line.ts'
import { SimpleSluiceRecord } from '../formats/simple-sluice-record.ts'
import { LineAssembler } from './line-assembler.ts'
import { LineFilter, type NeededRecords } from './line-filter.ts'
import { recordList, type LineOptions } from './line-formats.ts'
import { endOfLine, isPlainJson } from './plain-json-line.ts'
import type { RecordSink } from './record-sink.ts'

/** Options of a `RecordReader`. */
export interface RecordReaderOptions {
  /** The name of the input, for the origin of records. */
  readonly file: string
  /** The format of all lines; by default, it is detected for each line. */
  readonly input?: FormatName
  /** Names of members by the field that they are, such as `level` and `severity`. */
  readonly fieldNames?: ReadonlyMap<string, string>
  readonly sink: RecordSink
  /**
   * Whether the buffer of a chunk is used again after `read` returns. The bytes of lines that are held back are then copied; a sink must
   * copy what it keeps, because other records are read from the bytes when their properties are used.
   *
   * @defaultValue false
   */
  readonly reuseBuffer?: boolean
  /**
   * Which records are needed: other lines are not parsed where their bytes show that they are not needed.
   *
   * @defaultValue all records
   */
  readonly needed?: NeededRecords | undefined
}

/** A longer line is decoded only if its first bytes are of a known format. */
const longLineBytes = 1024 * 1024
const headBytes = 4096
const maxCarriedBytes = 8 * 1024 * 1024

/**
 * Reads the lines of one input as records. Records and lines of no known format are given to the sink in the order of the input. A record is
 * held back until the next line shows that no stack trace follows it.
 */
export class RecordReader {
  private readonly options: LineOptions
  private readonly sink: RecordSink
  private readonly reusesBuffer: boolean
  private readonly readsJson: boolean
  private readonly readsSyslog: boolean
  private readonly lines: LineAssembler
  private readonly filter: LineFilter | undefined
  /** Reads lines whose records need not stay valid. */
  private readonly simpleLine: SimpleSluiceLine | undefined
  /** The start of an entry of the journal or of a syslog message whose end is in a later chunk, and the number of its first line. */
  private carried: Buffer | undefined
  private carriedLine = 0

  constructor(options: RecordReaderOptions) {
    const { file, input, fieldNames, sink, reuseBuffer = false, needed } = withoutPrototype(options)
    this.options = { file, input, fieldNames }
    this.sink = sink
    this.reusesBuffer = reuseBuffer
    this.readsSyslog = input === undefined || input === 'syslog'
    this.readsJson = input === undefined || !textFormats.has(input)
    this.lines = new LineAssembler(this.options, sink)
    const readsLayout = (input === undefined || input === 'sluice') && fieldNames === undefined
    if (reuseBuffer && readsLayout) this.simpleLine = new SimpleSluiceLine()
    if (needed !== undefined) this.filter = new LineFilter(needed, input === undefined && fieldNames === undefined)
  }

  /** Reads the lines of a chunk. */
  read(chunk: LineChunk): void {
    const { carried } = this
    this.carried = undefined
    if (carried === undefined)
      this.readLines(chunk.bytes, chunk.firstLine, chunk.isEnd, member(chunk, 'continuesLine') === true)
    else this.readLines(Buffer.concat([carried, chunk.bytes]), this.carriedLine, chunk.isEnd, false)
    if (chunk.isEnd) this.lines.flush()
    else if (this.reusesBuffer) this.lines.detach()
  }

  /** Gives out what is held back: the input has ended, or nothing has been written for a while. */
  flush(): void {
    const { carried } = this
    this.carried = undefined
    if (carried !== undefined) this.readLines(carried, this.carriedLine, true, false)
    this.lines.flush()
  }

  private readLines(bytes: Buffer, firstLine: number, isEnd: boolean, continuesLine: boolean): void {
    const { lines, readsJson, filter } = this
    const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
    filter?.begin(bytes)
    let number = firstLine
    let at = 0
    if (continuesLine) {
      at = endOfLine(bytes, 0)
      lines.addText(bytes.subarray(0, at), number++)
    }
    while (at < bytes.length) {
      if (filter !== undefined && lines.isEmpty) {
        at = filter.skip(bytes, at)
        number += filter.skippedLines
      }
      if (bytes[at] === underscore && bytes[at + 1] === underscore && isJournalEntry(bytes, at)) {
        const end = this.readJournal(bytes, at, number, isEnd)
        if (end < 0) return
        if (end > at) {
          number += newlinesIn(bytes, at, end)
          at = end
          continue
        }
      }
      if (this.readsSyslog && bytes[at]! >= 48 && bytes[at]! <= 57) {
        const end = endOfOctetFrame(bytes, at, isEnd || bytes.length - at > maxCarriedBytes)
        if (end < 0) return this.carry(bytes, at, number)
        if (end > at) {
          this.readAny(bytes, at, end, encoding, number)
          number += newlinesIn(bytes, at, end)
          at = end
          continue
        }
      }
      const end = endOfLine(bytes, at)
      if (readsJson && isPlainJson(bytes, at)) this.readJson(bytes, at, end, encoding, number)
      else this.readAny(bytes, at, end, encoding, number)
      at = end
      number++
    }
  }

  /** Reads a line that begins with `{` and has no envelope. */
  private readJson(bytes: Buffer, start: number, end: number, encoding: BufferEncoding, number: number): void {
    const { sink, lines, filter } = this
    // No line that begins with `{` belongs to the record before it.
    if (!lines.isEmpty) lines.endRecord()
    // Other lines can be a stack trace, or be in another container and have one of this record after them.
    const isSingle = isPlainJson(bytes, end)
    if (isSingle && filter?.canSkip(bytes, start, end) === true) return
    const { file, input, fieldNames } = this.options
    const isDirect = isSingle && lines.isEmpty
    if (isDirect && this.simpleLine?.read(bytes, start, contentEnd(bytes, start, end)) === true)
      return this.passOn(this.simpleLine, bytes, start, end, number)
    const text = bytes.toString(encoding, start, contentEnd(bytes, start, end))
    const raw = bytes.subarray(start, end)
    const origin = { file, line: number, container: undefined, isApplication: false, stream: undefined }
    const found = readJsonRecords(text, { origin, raw, input, fieldNames })
    if (found === undefined) return lines.addText(raw, number)
    const records = recordList(found)
    filter?.learn(bytes, start, end, records)
    if (records.length > 0 && isDirect) for (const record of records) sink.record(record)
    else lines.addRecords(text, raw, origin, records)
  }

  /** Passes on the record of a simple line. */
  private passOn(line: SimpleSluiceLine, bytes: Buffer, start: number, end: number, number: number): void {
    const origin = { file: this.options.file, line: number, container: undefined, stream: undefined }
    const record = new SimpleSluiceRecord(line, bytes, start, contentEnd(bytes, start, end), end, origin)
    this.filter?.learn(bytes, start, end, [record])
    this.sink.record(record)
  }

  private readAny(bytes: Buffer, start: number, end: number, encoding: BufferEncoding, number: number): void {
    const raw = bytes.subarray(start, end)
    let textStart = start
    if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) textStart += 3
    if (end - start > longLineBytes && !this.hasKnownStart(bytes, textStart, encoding)) this.lines.addText(raw, number)
    else this.lines.readLine(bytes.toString(encoding, textStart, contentEnd(bytes, textStart, end)), raw, number)
  }

  /** Returns whether the first bytes of a line are those of a known format. */
  private hasKnownStart(bytes: Buffer, start: number, encoding: BufferEncoding): boolean {
    const head = bytes.toString(encoding, start, start + headBytes)
    return this.lines.isKnownStart(head)
  }

  /** Reads an entry of the journal. Returns the position after it; -1 if its end is in a later chunk; the start if it is not an entry. */
  private readJournal(bytes: Buffer, start: number, number: number, isEnd: boolean): number {
    const entry = readJournalEntry(bytes, start, isEnd || bytes.length - start > maxCarriedBytes)
    if (entry === undefined) return start
    if (entry === 'incomplete') {
      this.carry(bytes, start, number)
      return -1
    }
    this.lines.addEnvelope(journalEnvelope(entry.fields), bytes.subarray(start, entry.end), number)
    return entry.end
  }

  /** Keeps bytes until the rest of an entry arrives. */
  private carry(bytes: Buffer, start: number, number: number): void {
    this.carried = this.reusesBuffer ? Buffer.from(bytes.subarray(start)) : bytes.subarray(start)
    this.carriedLine = number
  }
}

const textFormats: ReadonlySet<FormatName> = new Set(['logfmt', 'journald', 'syslog', 'access', 'text'])

/** Returns the number of line ends between two positions. */
function newlinesIn(bytes: Buffer, start: number, end: number): number {
  const part = bytes.subarray(start, end)
  let count = 0
  for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) count++
  return count
}

/** Returns the end of a line without its line end. */
function contentEnd(bytes: Buffer, start: number, end: number): number {
  let at = end
  if (at > start && bytes[at - 1] === 10) at--
  if (at > start && bytes[at - 1] === 13) at--
  return at
}

const underscore = 95
