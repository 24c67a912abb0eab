import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { emptyMap } from '../../read/formats/json-values.ts'
import { levelOf, noLevel, withSeverityNumber, type ReadLevel } from '../../read/formats/levels.ts'
import { millisOfNanos } from '../../read/formats/times.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../../read/record.ts'
import { readAnyValue, readKeyValue } from './any-value.ts'
import {
  attributeTag,
  bodyTag,
  droppedAttributesTag,
  eventNameTag,
  flagsTag,
  observedTimeTag,
  severityNumberTag,
  severityTextTag,
  spanIdTag,
  timeTag,
  traceIdTag,
} from './log-record-fields.ts'
import { ProtoReader } from './proto-reader.ts'

/** What records of one resource and scope have in common. */
export interface RecordSource {
  readonly format: FormatName
  readonly origin: RecordOrigin
  readonly resource: AnyValueMap
  readonly scope: string | undefined
  readonly scopeVersion: string | undefined
}

/** The attribute `otlp.damage` of a damaged record. */
export const damageText = 'the bytes of this record are damaged, so parts of it are missing'

/**
 * A `LogRecord` of OTLP. Its parts are read from the bytes when they are used, because most records are only tested by a query. What is
 * damaged is missing, and the record has the attribute `otlp.damage`.
 */
export class OtlpRecord implements ReadRecord {
  readonly format: FormatName
  readonly origin: RecordOrigin
  readonly resource: AnyValueMap
  readonly scope: string | undefined
  readonly scopeVersion: string | undefined
  readonly raw: Buffer
  readonly severityNumber: number
  readonly level: string
  readonly severityText: string | undefined
  traceFlags: number | undefined
  private readonly reader: ProtoReader
  private timeNanos = 0n
  private observedTimeNanos = 0n
  private severityName = ''
  private severity = 0
  private droppedAttributes = 0
  private isDamaged = false
  // Where parts begin in the bytes: before their length.
  private bodyStart = -1
  private eventNameStart = -1
  private traceIdStart = -1
  private spanIdStart = -1
  private attributesStart = -1
  private cachedAttributes: AnyValueMap | undefined

  /** @param bytes - the message, which does not change while the record is used */
  constructor(bytes: Buffer, source: RecordSource) {
    this.format = source.format
    this.origin = source.origin
    this.resource = source.resource
    this.scope = source.scope
    this.scopeVersion = source.scopeVersion
    this.raw = bytes
    this.reader = new ProtoReader(bytes)
    try {
      this.readFields(this.reader, bytes.length)
    } catch {
      this.isDamaged = true
    }
    const level = levelOfRecord(this.severityName, this.severity)
    this.level = level.name
    this.severityNumber = level.severityNumber
    this.severityText = level.text
  }

  get timeUnixNano(): bigint | undefined {
    return [this.timeNanos, this.observedTimeNanos].find((nanos) => nanos > 0n)
  }
  get time(): number | undefined {
    const { timeUnixNano } = this
    return timeUnixNano === undefined ? undefined : millisOfNanos(timeUnixNano)
  }
  get body(): AnyValue | undefined {
    return this.part(this.bodyStart, readAnyValue)
  }
  get message(): string | undefined {
    const { body } = this
    return typeof body === 'string' ? body : undefined
  }
  get eventName(): string | undefined {
    return this.part(this.eventNameStart, (reader, end) => reader.textTo(end)) || undefined
  }
  get traceId(): string | undefined {
    return this.part(this.traceIdStart, (reader, end) => idAt(reader, end, traceIdBytes))
  }
  get spanId(): string | undefined {
    return this.part(this.spanIdStart, (reader, end) => idAt(reader, end, spanIdBytes))
  }
  get attributes(): AnyValueMap {
    return (this.cachedAttributes ??= this.readAttributes())
  }

  private readFields(reader: ProtoReader, end: number): void {
    while (reader.pos < end) {
      const start = reader.pos
      const tag = reader.uint32()
      const contentStart = reader.pos
      switch (tag) {
        case timeTag:
          this.timeNanos = BigInt(reader.fixed64())
          break
        case observedTimeTag:
          this.observedTimeNanos = BigInt(reader.fixed64())
          break
        case severityNumberTag:
          this.severity = reader.uint32()
          break
        case severityTextTag:
          this.severityName = reader.textTo(reader.endOfField(end))
          break
        case flagsTag:
          this.traceFlags = reader.fixed32() & 0xff
          break
        case droppedAttributesTag:
          this.droppedAttributes = reader.uint32()
          break
        default:
          if (tag === attributeTag && this.attributesStart < 0) this.attributesStart = start
          else if (tag === bodyTag) this.bodyStart = contentStart
          else if (tag === traceIdTag) this.traceIdStart = contentStart
          else if (tag === spanIdTag) this.spanIdStart = contentStart
          else if (tag === eventNameTag) this.eventNameStart = contentStart
          reader.skipField(tag, end)
      }
    }
  }

  /** Reads a part of the bytes; undefined if the record does not have it, or it is damaged. */
  private part<T>(start: number, read: (reader: ProtoReader, end: number) => T): T | undefined {
    if (start < 0) return undefined
    const { reader } = this
    try {
      reader.pos = start
      return read(reader, reader.endOfField(this.raw.length))
    } catch {
      this.isDamaged = true
      return undefined
    }
  }

  private readAttributes(): AnyValueMap {
    const attributes = new Map<string, AnyValue>()
    const { reader, raw } = this
    try {
      if (this.attributesStart >= 0) reader.pos = this.attributesStart
      while (this.attributesStart >= 0 && reader.pos < raw.length) {
        const tag = reader.uint32()
        if (tag === attributeTag) readKeyValue(reader, reader.endOfField(raw.length), attributes)
        else reader.skipField(tag, raw.length)
      }
    } catch {
      this.isDamaged = true
    }
    if (this.droppedAttributes > 0) attributes.set('otel.dropped_attributes_count', this.droppedAttributes)
    if (this.isDamaged) attributes.set('otlp.damage', damageText)
    return attributes.size === 0 ? emptyMap : attributes
  }
}

/** Returns the level of a record by its text and its number, of which either can be missing. */
export function levelOfRecord(severityText: string, severityNumber: number): ReadLevel {
  const level = severityText === '' ? noLevel : levelOf(severityText, 'names')
  return severityNumber > 0 && severityNumber <= maxSeverityNumber ? withSeverityNumber(level, severityNumber) : level
}

const maxSeverityNumber = 24
const traceIdBytes = 16
const spanIdBytes = 8

/** Reads an ID. One of another length, or of zeros, is invalid. */
function idAt(reader: ProtoReader, end: number, bytes: number): string | undefined {
  const isValid = end - reader.pos === bytes
  const id = reader.hexTo(end)
  return isValid && !/^0*$/.test(id) ? id : undefined
}
