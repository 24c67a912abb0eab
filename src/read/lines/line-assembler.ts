import type { Envelope } from '../envelopes/envelope.ts'
import { EnvelopeReader } from '../envelopes/unwrap.ts'
import { DerivedRecord, noChanges } from '../formats/derived-record.ts'
import type { ReadRecord, RecordOrigin } from '../record.ts'
import type { Continuation } from './continuation.ts'
import { insideEnvelope, noEnvelope, type EnvelopeContext } from './envelope-context.ts'
import { HeldLine } from './held-line.ts'
import { LineFormats, type LineOptions } from './line-formats.ts'
import { LineParts } from './line-parts.ts'
import { LineQueue } from './line-queue.ts'
import { RawLines } from './raw-lines.ts'
import type { RecordSink } from './record-sink.ts'

/** The maximum number of envelopes around a line. */
const maxDepth = 5
/** The maximum number of containers whose lines are held back. */
const maxContainers = 1000
/** The maximum length of a line that is joined of parts, in UTF-16 units. */
const maxJoinedLength = 8 * 1024 * 1024
/** The attribute of a record of which a part is missing. */
const incompleteName = 'sluice.line_incomplete'

/** Removes the envelopes of lines, joins parts, and keeps the lines of stack traces with the record before them. */
export class LineAssembler {
  private readonly formats: LineFormats
  private readonly queue: LineQueue
  private readonly envelopes = new EnvelopeReader()
  /** The last record of each container, to which further lines can belong. */
  private readonly open = new Map<string, HeldLine>()
  private readonly parts = new Map<string, LineParts>()
  /** The number of lines that were read. It orders lines also where the number in the input is unknown. */
  private lineNumber = 0

  constructor(options: LineOptions, sink: RecordSink) {
    this.formats = new LineFormats(options)
    this.queue = new LineQueue(sink)
  }

  /** Whether nothing is held back. */
  get isEmpty(): boolean {
    return this.queue.isEmpty
  }

  /**
   * Reads a line.
   *
   * @param line - the line without its line end
   * @param raw - its bytes, with the line end
   * @param number - its number in the input
   */
  readLine(line: string, raw: Uint8Array, number: number): void {
    this.lineNumber++
    this.unwrap(line, raw, number)
    this.drain()
  }

  /** Adds a line of no known format, which is not read further. */
  addText(raw: Uint8Array, number: number): void {
    this.addRecords('', raw, this.formats.originOf(noEnvelope, number), [])
  }

  /** Adds the records of a line without an envelope, to which further lines can belong. */
  addRecords(text: string, raw: Uint8Array, origin: RecordOrigin, records: readonly ReadRecord[]): void {
    this.addLine(new HeldLine(text, new RawLines(raw), origin, records, ++this.lineNumber), '')
    this.drain()
  }

  /** Reads what is in an envelope of several lines. */
  addEnvelope(envelope: Envelope, raw: Uint8Array, number: number): void {
    this.lineNumber++
    this.unwrap('', raw, number, envelope)
    this.drain()
  }

  /** Ends the record before a line that cannot belong to it. */
  endRecord(): void {
    this.endRecordOf('')
    this.drain()
  }

  /** Returns whether the first characters of a long line can be those of a known format. */
  isKnownStart(head: string): boolean {
    const kind = this.open.get('')?.classify(head) ?? 'no'
    return kind !== 'no' || this.formats.isKnownStart(head) || this.envelopes.unwrap(head) !== undefined
  }

  /** Passes on everything that is held back. */
  flush(): void {
    for (const [key, parts] of this.parts) this.giveUp(key, parts)
    for (const line of this.queue.all()) line.close()
    this.open.clear()
    this.drain()
  }

  /** Copies the bytes that are held back, so that their buffer can be reused. */
  detach(): void {
    for (const line of this.queue.all()) line.raw.detach()
  }

  private unwrap(line: string, raw: Uint8Array, number: number, outermost?: Envelope): void {
    let text = line
    let context = noEnvelope
    let joined: HeldLine | undefined
    for (let depth = 0; depth < maxDepth; depth++) {
      const envelope = (depth === 0 ? outermost : undefined) ?? this.envelopes.unwrap(text)
      if (envelope === undefined) break
      context = insideEnvelope(context, envelope)
      text = envelope.inner
      if (envelope.isPart === undefined) continue
      const key = keyOf(context)
      const parts = this.partsBefore(key, text)
      if (envelope.isPart) return this.addPart(key, parts, text, context, raw, number)
      if (parts === undefined) continue
      parts.add(text, raw, this.lineNumber)
      this.parts.delete(key)
      ;({ line: joined, context } = parts)
      text = parts.text()
    }
    const held =
      joined ?? new HeldLine('', new RawLines(raw), this.formats.originOf(context, number), [], this.lineNumber)
    this.readInner(text, context, held, joined !== undefined)
  }

  /**
   * Reads a line without its envelopes.
   *
   * @param isQueued - whether the line is in the queue, because it was joined of parts
   */
  private readInner(text: string, context: EnvelopeContext, line: HeldLine, isQueued: boolean): void {
    line.text = text
    line.isOpen = false
    const key = keyOf(context)
    const owner = this.open.get(key)
    const kind = owner?.classify(text) ?? 'no'
    // Indented JSON is a separate record.
    if (owner !== undefined && kind === 'yes' && !this.formats.isJsonRecord(text)) return owner.add(line)
    line.records = this.formats.recordsOf(text, context, line.origin, line.raw.bytes())
    if (owner === undefined || !isUndecided(kind, line.records.at(0), context)) {
      const start = isText(line.records.at(0), context) ? this.formats.uncaughtStart(text) : undefined
      if (start !== undefined)
        line.beginUncaught(this.formats.uncaughtRecord(context, start, line.origin, line.raw.bytes()), start)
      return this.addLine(line, key, isQueued, start !== undefined)
    }
    owner.addUndecided(line)
    if (!isQueued) this.queue.add(line)
  }

  /** Adds a line to the queue, and ends the record before it in its container. */
  private addLine(line: HeldLine, key: string, isQueued = false, isOpen = false): void {
    this.endRecordOf(key)
    if (isOpen || line.records.length === 1) {
      if (this.open.size >= maxContainers) this.close(this.open.values().next().value!)
      line.isOpen = true
      this.open.set(key, line)
    }
    if (!isQueued) this.queue.add(line)
  }

  private endRecordOf(key: string): void {
    const owner = this.open.get(key)
    if (owner === undefined) return
    owner.close()
    this.open.delete(key)
  }

  /** Returns the earlier parts of a line. A text that is a whole record is not their last part: they stay incomplete. */
  private partsBefore(key: string, text: string): LineParts | undefined {
    const parts = this.parts.get(key)
    if (parts === undefined || !parts.isShort || !this.formats.isJsonRecord(text)) return parts
    this.giveUp(key, parts)
    return undefined
  }

  private addPart(
    key: string,
    parts: LineParts | undefined,
    text: string,
    context: EnvelopeContext,
    raw: Uint8Array,
    number: number,
  ): void {
    if (parts !== undefined) {
      parts.add(text, raw, this.lineNumber)
      if (parts.length > maxJoinedLength) this.giveUp(key, parts)
      return
    }
    if (this.parts.size >= maxContainers) {
      const [oldestKey, oldest] = this.parts.entries().next().value!
      this.giveUp(oldestKey, oldest)
    }
    const line = new HeldLine('', new RawLines(raw), this.formats.originOf(context, number), [], this.lineNumber)
    line.isOpen = true
    this.queue.add(line)
    this.parts.set(key, new LineParts(line, context, text))
  }

  /** Reads the parts of a line whose last part is missing. */
  private giveUp(key: string, parts: LineParts): void {
    this.parts.delete(key)
    const { line, context } = parts
    const text = parts.text()
    const records = this.formats.recordsOf(text, context, line.origin, line.raw.bytes())
    // The last text of a program can end without a newline, and is then not damaged.
    const isDamaged = !parts.isShort || text.startsWith('{')
    line.text = text
    line.records = records.map((record) =>
      isDamaged && record.format === 'text' ? withAttribute(record, incompleteName) : record,
    )
    line.isOpen = false
  }

  private close(line: HeldLine): void {
    line.close()
    for (const [key, open] of this.open) if (open === line) this.open.delete(key)
    for (const [key, parts] of this.parts) if (parts.line === line) this.giveUp(key, parts)
  }

  private drain(): void {
    this.queue.drain(this.lineNumber, (line) => this.close(line))
  }
}

/** Returns whether a line belongs to the record before it if the next line does. */
function isUndecided(kind: Continuation, record: ReadRecord | undefined, context: EnvelopeContext): boolean {
  if (kind === 'text') return isText(record, context)
  return kind === 'maybe' && (record === undefined || record.format === (context.textRecord?.format ?? 'text'))
}

/** Returns whether a line has no known format. In an envelope, such a line is a record. */
function isText(record: ReadRecord | undefined, { textRecord }: EnvelopeContext): boolean {
  if (record === undefined) return true
  return textRecord !== undefined && record.format === textRecord.format && record.level === (textRecord.level ?? '')
}

function withAttribute(record: ReadRecord, name: string): ReadRecord {
  return new DerivedRecord(record, { ...noChanges, attributes: new Map([...record.attributes, [name, true]]) })
}

function keyOf({ container, stream }: EnvelopeContext): string {
  return container === undefined && stream === undefined ? '' : `${container ?? ''}\n${stream ?? ''}`
}
