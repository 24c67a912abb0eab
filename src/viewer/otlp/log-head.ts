import { templateKeys } from '../../read/templates/templates.ts'
import {
  attributeTag,
  bodyTag,
  eventNameTag,
  observedTimeTag,
  severityNumberTag,
  severityTextTag,
  timeTag,
  traceIdTag,
} from './log-record-fields.ts'
import { lengthTag, type ProtoReader } from './proto-reader.ts'

/** What the store keeps of a record in columns, so that records are filtered and counted without reading their bytes. */
export interface LogHead {
  /** Milliseconds since the Unix epoch, with a fraction; 0 without a time. */
  time: number
  /** The severity number, 1 to 24; 0 if it is unspecified. */
  severityNumber: number
  /** The name of the level, which is read only if there is no severity number. */
  severityText: string | undefined
  /** The hash of the trace ID; 0 without a trace. */
  traceHash: number
  /** The template, if an attribute has it; otherwise the message, or the name of the event. */
  text: string | undefined
  /** Whether `text` is a template. */
  isTemplate: boolean
}

/** Reads the head of a `LogRecord`, and checks that its fields end within it. */
export class LogHeadReader implements LogHead {
  time = 0
  severityNumber = 0
  severityText: string | undefined = undefined
  traceHash = 0
  text: string | undefined = undefined
  isTemplate = false
  private eventName: string | undefined

  /** @throws RangeError if the message is damaged. */
  read(reader: ProtoReader, end: number): void {
    this.clear()
    let observedTime = 0
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === attributeTag) this.readAttribute(reader, reader.endOfField(end))
      else if (tag === timeTag) this.time = reader.millisOfNanos()
      else if (tag === observedTimeTag) observedTime = reader.millisOfNanos()
      else if (tag === severityNumberTag) this.severityNumber = reader.uint32()
      else if (tag === severityTextTag) this.severityText = reader.textTo(reader.endOfField(end))
      else if (tag === bodyTag) this.readBody(reader, reader.endOfField(end))
      else if (tag === traceIdTag) this.readTraceId(reader, reader.endOfField(end))
      else if (tag === eventNameTag) this.eventName = startOfText(reader, reader.endOfField(end))
      else reader.skipField(tag, end)
    }
    if (reader.pos > end) throw new RangeError('a field ends after its message')
    if (this.time === 0) this.time = observedTime
    if (this.severityNumber > maxSeverityNumber) this.severityNumber = 0
    this.text ??= this.eventName
  }

  private clear(): void {
    this.time = 0
    this.severityNumber = 0
    this.severityText = undefined
    this.traceHash = 0
    this.text = undefined
    this.isTemplate = false
    this.eventName = undefined
  }

  private readBody(reader: ProtoReader, end: number): void {
    if (!this.isTemplate && reader.pos < end && reader.uint32() === stringValueTag)
      this.text = startOfText(reader, reader.endOfField(end))
    reader.pos = end
  }

  /** Reads the template of the message, which is in one of few attributes. Others are skipped. */
  private readAttribute(reader: ProtoReader, end: number): void {
    if (reader.pos < end && reader.uint32() === keyTag) {
      const keyEnd = reader.endOfField(end)
      // Most keys have another length.
      if (templateKeyLengths.has(keyEnd - reader.pos) && templateKeys.includes(reader.textTo(keyEnd)))
        this.readTemplate(reader, end)
    }
    reader.pos = end
  }

  private readTemplate(reader: ProtoReader, end: number): void {
    if (reader.pos >= end || reader.uint32() !== valueTag) return
    const valueEnd = reader.endOfField(end)
    if (reader.pos >= valueEnd || reader.uint32() !== stringValueTag) return
    this.text = startOfText(reader, reader.endOfField(valueEnd))
    this.isTemplate = true
  }

  private readTraceId(reader: ProtoReader, end: number): void {
    if (end - reader.pos === traceIdBytes)
      this.traceHash = (reader.fixed32() ^ reader.fixed32() ^ reader.fixed32() ^ reader.fixed32()) >>> 0 || 1
    reader.pos = end
  }
}

/** Returns the hash of a trace ID, which is not 0. An ID with 64 bits begins with zeros, so all its parts are in the hash. */
export function hashOfTrace(traceId: string): number {
  const bytes = Buffer.from(traceId, 'hex')
  let hash = 0
  for (let at = 0; at < traceIdBytes; at += 4) hash ^= bytes.readUInt32LE(at)
  return hash >>> 0 || 1
}

const maxSeverityNumber = 24
const traceIdBytes = 16
const stringValueTag = lengthTag(1)
const keyTag = lengthTag(1)
const valueTag = lengthTag(2)
const templateKeyLengths: ReadonlySet<number> = new Set(templateKeys.map(({ length }) => length))
/** Templates are shorter, even in UTF-8. A part of a longer text would keep the memory of all of it. */
const maxTextBytes = 2_048

/** Reads the start of a text, and skips the rest of it. */
function startOfText(reader: ProtoReader, end: number): string {
  const text = reader.textTo(Math.min(end, reader.pos + maxTextBytes))
  reader.pos = end
  return text
}
