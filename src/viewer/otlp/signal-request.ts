import { lengthTag, ProtoReader } from './proto-reader.ts'

/** A part of the bytes of a request. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where the records or spans of a request have their resource and scope. */
export interface SourceRanges {
  /** The `Resource`; undefined without one. */
  readonly resource: ByteRange | undefined
  /** The `InstrumentationScope`; undefined without one. */
  readonly scope: ByteRange | undefined
}

/** Receives the records or spans of a request. */
export interface SignalVisitor {
  /** Receives the resource and scope of what follows. */
  source(ranges: SourceRanges): void
  /** Receives a record or a span: the reader is at its start. */
  item(reader: ProtoReader, end: number): void
}

// `ExportLogsServiceRequest`, `ResourceLogs` and `ScopeLogs` have the same fields as those of traces.
const resourceGroupTag = lengthTag(1)
const resourceTag = lengthTag(1)
const scopeGroupTag = lengthTag(2)
const scopeTag = lengthTag(1)
const itemTag = lengthTag(2)

/**
 * Reads an `ExportLogsServiceRequest` or an `ExportTraceServiceRequest` of OTLP. All records or spans are visited, in their order.
 *
 * @throws RangeError if the request is damaged, or has too many parts. The records before were visited.
 */
export function readSignalRequest(bytes: Buffer, visitor: SignalVisitor): void {
  new SignalRequestReader(bytes).read(visitor)
}

/** The maximum number of groups, records and spans of a request. An empty one has two bytes, but takes much more memory and time. */
export const maxParts = 500_000

/** Returns the error for a request with too many parts. */
export function tooManyParts(): RangeError {
  return new RangeError(`it has more than ${maxParts} records, scopes and resources`)
}

class SignalRequestReader {
  private readonly reader: ProtoReader
  private readonly length: number
  private parts = 0

  constructor(bytes: Buffer) {
    this.reader = new ProtoReader(bytes)
    this.length = bytes.length
  }

  read(visitor: SignalVisitor): void {
    for (const group of this.rangesOf({ start: 0, end: this.length }, resourceGroupTag)) {
      const resource = this.rangesOf(group, resourceTag)[0]
      for (const scopeGroup of this.rangesOf(group, scopeGroupTag)) {
        visitor.source({ resource, scope: this.rangesOf(scopeGroup, scopeTag)[0] })
        this.readItems(scopeGroup, visitor)
      }
    }
  }

  /** Returns where the fields with a tag are in a message. */
  private rangesOf({ start, end }: ByteRange, tag: number): readonly ByteRange[] {
    const { reader } = this
    const ranges: ByteRange[] = []
    reader.pos = start
    while (reader.pos < end) {
      const found = reader.uint32()
      if (found !== tag) reader.skipField(found, end)
      else {
        this.countPart()
        const fieldEnd = reader.endOfField(end)
        ranges.push({ start: reader.pos, end: fieldEnd })
        reader.pos = fieldEnd
      }
    }
    return ranges
  }

  private readItems({ start, end }: ByteRange, visitor: SignalVisitor): void {
    const { reader } = this
    reader.pos = start
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag !== itemTag) reader.skipField(tag, end)
      else {
        this.countPart()
        const itemEnd = reader.endOfField(end)
        visitor.item(reader, itemEnd)
        reader.pos = itemEnd
      }
    }
  }

  private countPart(): void {
    if (++this.parts > maxParts) throw tooManyParts()
  }
}
