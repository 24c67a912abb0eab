import type { AnyValue } from '../../record/any-value.ts'
import type { ReadRecord, RecordOrigin } from '../record.ts'
import { ContinuationLines, isErrorHeader, type Continuation } from './continuation.ts'
import { DerivedRecord, noChanges } from '../formats/derived-record.ts'
import { RawLines } from './raw-lines.ts'
import type { RecordSink } from './record-sink.ts'
import { uncaughtValues, type UncaughtStart } from './uncaught-error.ts'

/** The records or the text of one or several lines, queued until they are complete and all earlier ones were passed on. */
export class HeldLine {
  readonly origin: RecordOrigin
  readonly raw: RawLines
  /** The line without its envelopes and its line end. */
  text: string
  /** The records of the line; empty if the line is text. */
  records: readonly ReadRecord[]
  /** Whether more lines can belong to it. */
  isOpen = false
  /** Whether it belongs to the record before it, so that it is not passed on by itself. */
  isAbsorbed = false
  /** The number of the last line that was added, counted by the reader. */
  lastLine: number
  /** The lines that belong to it only if the next line does. */
  private undecided: HeldLine[] = []
  private continuation: ContinuationLines | undefined
  private lines: string[] | undefined
  /** The record of the uncaught error that this line begins; undefined if it does not. */
  private uncaught: ReadRecord | undefined

  constructor(text: string, raw: RawLines, origin: RecordOrigin, records: readonly ReadRecord[], lineNumber: number) {
    this.text = text
    this.raw = raw
    this.origin = origin
    this.records = records
    this.lastLine = lineNumber
  }

  /** Returns whether a line belongs to this record. */
  classify(line: string): Continuation {
    this.continuation ??= new ContinuationLines(this.ownsTraceback())
    const kind = this.continuation.classify(line)
    return kind !== 'yes' && this.undecided.length >= maxUndecided ? 'no' : kind
  }

  /** Begins an uncaught error. After a position, the line stays text if its source and carets do not follow. */
  beginUncaught(record: ReadRecord, start: UncaughtStart): void {
    this.uncaught = record
    this.continuation = new ContinuationLines()
    if (start === 'position') return this.continuation.addUndecided(this.text)
    this.records = [record]
    this.continuation.add(this.text)
  }

  /** Adds a line that belongs to this record, with the undecided ones before it. */
  add(line: HeldLine): void {
    for (const undecided of this.undecided) this.absorb(undecided)
    this.undecided.length = 0
    this.absorb(line)
    if (this.uncaught !== undefined) this.records = [this.uncaught]
    this.lastLine = line.lastLine
  }

  /** Adds a line that belongs to this record if the next one does. It is in the queue until then. */
  addUndecided(line: HeldLine): void {
    line.isOpen = true
    this.undecided.push(line)
    this.continuation?.addUndecided(line.text)
    this.lastLine = line.lastLine
  }

  private absorb(line: HeldLine): void {
    line.isAbsorbed = true
    line.isOpen = false
    this.raw.addAll(line.raw)
    this.continuation ??= new ContinuationLines()
    this.continuation.add(line.text)
    this.lines ??= []
    this.lines.push(line.text)
  }

  /** Ends the record. Undecided lines do not belong to it. */
  close(): void {
    this.isOpen = false
    for (const line of this.undecided) line.isOpen = false
    this.undecided.length = 0
  }

  /** Passes the records, or the text, to a sink. */
  giveTo(sink: RecordSink): void {
    if (this.isAbsorbed) return
    const { records } = this
    const raw = this.raw.bytes()
    if (records.length === 0) return sink.text(raw, this.origin)
    if (records.length === 1) return sink.record(this.complete(records[0]!, raw))
    for (const record of records)
      sink.record(record.raw === raw ? record : new DerivedRecord(record, { ...noChanges, raw }))
  }

  /** Returns whether a trace of Python after the record is of its error: JSON without a high level would contain it. */
  private ownsTraceback(): boolean {
    return (this.records[0]?.severityNumber ?? 0) >= warnNumber
  }

  /** Returns a record with the lines that follow it: as its stack trace or the end of it, or as more lines of its message. */
  private complete(record: ReadRecord, raw: Uint8Array): ReadRecord {
    const { lines } = this
    if (record === this.uncaught) {
      const values = uncaughtValues(record.attributes, [this.text, ...(lines ?? [])])
      return new DerivedRecord(record, { ...noChanges, ...values, body: values.message, raw })
    }
    if (lines === undefined) return record.raw === raw ? record : new DerivedRecord(record, { ...noChanges, raw })
    const { attributes, message } = record
    const text = lines.join('\n').replace(/^\n+/, '')
    const stacktrace = attributes.get(stacktraceName)
    if (this.continuation?.hasStack === true || typeof stacktrace === 'string')
      return new DerivedRecord(record, {
        ...noChanges,
        raw,
        attributes: new Map([...attributes, [stacktraceName, withStackLines(stacktrace, message, text)]]),
      })
    if (message === undefined) return new DerivedRecord(record, { ...noChanges, raw })
    const longMessage = `${message}\n${text}`
    return new DerivedRecord(record, { ...noChanges, raw, message: longMessage, body: longMessage })
  }
}

/** Returns the stack trace of a record with the lines that follow the record. */
function withStackLines(stacktrace: AnyValue | undefined, message: string | undefined, lines: string): string {
  if (typeof stacktrace === 'string') {
    // The lines are those of the record, or of another error, such as the one that ended the program.
    return stacktrace.includes(lines.trim()) ? stacktrace : `${stacktrace}\n${lines}`
  }
  // A stack trace of only frames has its first line in the message.
  const isWithoutHeader = message !== undefined && /^\s+at /.test(lines) && isErrorHeader(message)
  return isWithoutHeader ? `${message}\n${lines}` : lines
}

const warnNumber = 13
const stacktraceName = 'exception.stacktrace'
/** The message of an error can have many lines, such as the difference of two values. */
const maxUndecided = 40
