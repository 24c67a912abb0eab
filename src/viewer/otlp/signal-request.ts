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
 * @throws RangeError if the request is damaged. The records before were visited.
 */
export function readSignalRequest(bytes: Buffer, visitor: SignalVisitor): void {
  const reader = new ProtoReader(bytes)
  for (const group of rangesOf(reader, { start: 0, end: bytes.length }, resourceGroupTag)) {
    const resource = rangesOf(reader, group, resourceTag)[0]
    for (const scopeGroup of rangesOf(reader, group, scopeGroupTag)) {
      visitor.source({ resource, scope: rangesOf(reader, scopeGroup, scopeTag)[0] })
      readItems(reader, scopeGroup, visitor)
    }
  }
}

/** Returns where the fields with a tag are in a message. */
function rangesOf(reader: ProtoReader, { start, end }: ByteRange, tag: number): readonly ByteRange[] {
  const ranges: ByteRange[] = []
  reader.pos = start
  while (reader.pos < end) {
    const found = reader.uint32()
    if (found !== tag) reader.skipField(found, end)
    else {
      const fieldEnd = reader.endOfField(end)
      ranges.push({ start: reader.pos, end: fieldEnd })
      reader.pos = fieldEnd
    }
  }
  return ranges
}

function readItems(reader: ProtoReader, { start, end }: ByteRange, visitor: SignalVisitor): void {
  reader.pos = start
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag !== itemTag) reader.skipField(tag, end)
    else {
      const itemEnd = reader.endOfField(end)
      visitor.item(reader, itemEnd)
      reader.pos = itemEnd
    }
  }
}
