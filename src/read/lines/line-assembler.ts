import type { Envelope } from '../envelopes/envelope.ts'
import { EnvelopeReader } from '../envelopes/unwrap.ts'
import { readTextFormat } from '../formats/text-formats.ts'
import { textRecord, type TextRecord } from '../formats/text-record.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'
import { HeldLine } from './held-line.ts'
import { readJsonRecords } from './json-records.ts'
import { insideEnvelope, noEnvelope, withEnvelope, type EnvelopeContext } from './line-context.ts'
import { LineParts } from './line-parts.ts'
import { LineQueue } from './line-queue.ts'
import { RawLines } from './raw-lines.ts'
import type { RecordSink } from './record-sink.ts'

/** How lines are read. */
export interface LineFormat {
  readonly file: string
  readonly input: FormatName | undefined
  readonly fieldNames: ReadonlyMap<string, string> | undefined
}

/** The maximum number of envelopes around a line, and of containers whose lines are held back. */
const maxDepth = 5
const maxContainers = 1000
/** The maximum length of a line that is joined of parts. */
const maxJoinedLength = 8 * 1024 * 1024
/** The attribute of a record whose line is not complete. */
const incompleteName = 'sluice.line_incomplete'

/** Reads lines as records: removes envelopes, joins parts, and keeps the lines of stack traces with the record before them. */
export class LineAssembler {
  private readonly format: LineFormat
  private readonly queue: LineQueue
  private readonly envelopes = new EnvelopeReader()
  /** The record of each container that further lines can belong to. */
  private readonly open = new Map<string, HeldLine>()
  private readonly parts = new Map<string, LineParts>()
  private lineNumber = 0

  constructor(format: LineFormat, sink: RecordSink) {
    this.format = format
    this.queue = new LineQueue(sink)
  }

  /** Whether nothing is held back. */
  get isEmpty(): boolean {
    return this.queue.isEmpty
  }

  /**
   * Reads a line.
   *
   * @param text - the line without its line end
   * @param raw - its bytes, with the line end
   * @param number - its number in the input
   */
  readLine(text: string, raw: Uint8Array, number: number): void {
    this.lineNumber++
    this.unwrap(text, raw, number)
    this.drain()
  }

  /** Returns whether the first characters of a long line are those of a known format. */
  isKnownStart(head: string): boolean {
    const owner = this.open.get('')
    if (isJsonObject(head) || this.envelopes.unwrap(head) !== undefined) return true
    if (owner !== undefined && owner.classify(head) !== 'no') return true
    return (
      readTextFormat(head, this.originOf(noEnvelope, 0), noBytes, this.format.input, this.format.fieldNames) !==
      undefined
    )
  }

  /** Adds a line of no known format, which is not read further. */
  addText(raw: Uint8Array, number: number): void {
    this.addHeld(new HeldLine('', new RawLines(raw), this.originOf(noEnvelope, number), [], ++this.lineNumber), '')
    this.drain()
  }

  /** Adds records of a line without an envelope, to which further lines can belong. */
  addRecords(text: string, raw: Uint8Array, origin: RecordOrigin, records: readonly ReadRecord[]): void {
    this.addHeld(new HeldLine(text, new RawLines(raw), origin, records, ++this.lineNumber), '')
    this.drain()
  }

  /** Adds the record of an envelope of several lines. */
  addEnvelope(envelope: Envelope, raw: Uint8Array, number: number): void {
    this.lineNumber++
    this.readInner(envelope.inner, insideEnvelope(noEnvelope, envelope), raw, number)
    this.drain()
  }

  /** Ends the record before the current line, because that cannot belong to it. */
  endRecord(): void {
    const open = this.open.get('')
    if (open !== undefined) this.close(open)
    this.drain()
  }

  /** Gives out everything that is held back. */
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

  private unwrap(line: string, raw: Uint8Array, number: number): void {
    let text = line
    let context = noEnvelope
    let held: HeldLine | undefined
    for (let depth = 0; depth < maxDepth; depth++) {
      const envelope = this.envelopes.unwrap(text)
      if (envelope === undefined) break
      context = insideEnvelope(context, envelope)
      text = envelope.inner
      if (envelope.isPart === undefined) continue
      const key = keyOf(context)
      let parts = this.parts.get(key)
      if (parts !== undefined && parts.isShort && this.isRecord(text)) {
        this.giveUp(key, parts)
        parts = undefined
      }
      if (envelope.isPart) return this.addPart(key, parts, text, context, raw, number)
      if (parts === undefined) continue
      parts.add(text, raw, this.lineNumber)
      this.parts.delete(key)
      text = parts.text()
      held = parts.line
      context = parts.context
    }
    this.readInner(text, context, raw, number, held)
  }

  /** Reads a line without its envelopes. */
  private readInner(text: string, context: EnvelopeContext, raw: Uint8Array, number: number, parts?: HeldLine): void {
    const origin = parts?.origin ?? this.originOf(context, number)
    const lines = parts?.raw ?? new RawLines(raw)
    const key = keyOf(context)
    const owner = this.open.get(key)
    const kind = owner === undefined ? 'no' : owner.classify(text)
    // Indented JSON is a record of its own.
    if (owner !== undefined && kind === 'yes' && !this.isRecord(text)) {
      const line = parts ?? new HeldLine('', lines, origin, [], this.lineNumber)
      line.text = text
      line.lastLine = this.lineNumber
      return owner.add(line)
    }
    const records = this.recordsOf(text, context, origin, lines)
    const line = parts ?? new HeldLine('', lines, origin, [], this.lineNumber)
    line.text = text
    line.records = records
    line.isOpen = false
    const isText = records.length === 0 || records[0]!.format === 'text'
    if (owner !== undefined && kind === 'maybe' && isText) {
      owner.addUndecided(line)
      if (parts === undefined) this.queue.add(line)
      return
    }
    this.addHeld(line, key, parts !== undefined)
  }

  /** Adds a line to the queue, and ends the record before it in its container. */
  private addHeld(line: HeldLine, key: string, isQueued = false): void {
    const owner = this.open.get(key)
    if (owner !== undefined) {
      owner.close()
      this.open.delete(key)
    }
    if (line.records.length === 1) {
      if (this.open.size >= maxContainers) this.close(this.open.values().next().value!)
      line.isOpen = true
      this.open.set(key, line)
    }
    if (!isQueued) this.queue.add(line)
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
    const line = new HeldLine('', new RawLines(raw), this.originOf(context, number), [], this.lineNumber)
    line.isOpen = true
    this.queue.add(line)
    this.parts.set(key, new LineParts(line, context, text))
  }

  /** Reads a line of which the last part is missing as what it is without it. */
  private giveUp(key: string, parts: LineParts): void {
    this.parts.delete(key)
    const { line, context } = parts
    const text = parts.text()
    const records = this.recordsOf(text, context, line.origin, line.raw)
    const [record] = records
    const isDamaged = !parts.isShort || text.startsWith('{')
    line.text = text
    line.records =
      record === undefined || !isDamaged || (records.length === 1 && record.format !== 'text')
        ? records
        : [
            textRecord(
              { ...(context.textRecord as TextRecord), message: text, attributes: incomplete },
              line.origin,
              record.raw,
            ),
          ]
    line.isOpen = false
  }

  private recordsOf(
    text: string,
    context: EnvelopeContext,
    origin: RecordOrigin,
    lines: RawLines,
  ): readonly ReadRecord[] {
    const raw = lines.bytes()
    const { input, fieldNames } = this.format
    if (input !== 'text') {
      const found = isJsonObject(text)
        ? readJsonRecords(text, { origin, raw, input, fieldNames })
        : readTextFormat(text, origin, raw, input, fieldNames)
      if (found !== undefined) {
        const records = isArray(found) ? found : [found]
        if (records.length > 0)
          return context === noEnvelope ? records : records.map((one) => withEnvelope(one, context))
      }
    }
    if (context.textRecord === undefined || input === 'text') return []
    return [withEnvelope(textRecord({ ...context.textRecord, message: text }, origin, raw), context)]
  }

  /** Returns whether a line is JSON that is a record. */
  private isRecord(text: string): boolean {
    if (!isJsonObject(text) || !text.trimEnd().endsWith('}')) return false
    const origin = this.originOf(noEnvelope, 0)
    const { input, fieldNames } = this.format
    return readJsonRecords(text, { origin, raw: noBytes, input, fieldNames }) !== undefined
  }

  private originOf({ container, stream }: EnvelopeContext, line: number): RecordOrigin {
    return { file: this.format.file, line, container, stream }
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

const noBytes = new Uint8Array(0)
const incomplete = new Map([[incompleteName, true]])

function keyOf({ container, stream }: EnvelopeContext): string {
  return container === undefined && stream === undefined ? '' : `${container ?? ''}\n${stream ?? ''}`
}

/** Returns whether a text can be a JSON object. Spaces before it are skipped. */
function isJsonObject(text: string): boolean {
  let at = 0
  for (let code = text.charCodeAt(0); code === 32 || code === 9; code = text.charCodeAt(++at));
  return text.charCodeAt(at) === 123
}

function isArray(found: ReadRecord | readonly ReadRecord[]): found is readonly ReadRecord[] {
  return Array.isArray(found)
}
