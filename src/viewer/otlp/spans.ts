import type { SpanSink } from '../store/span-store.ts'
import { fixed64Tag, lengthTag, ProtoReader, varintTag } from './proto-reader.ts'
import { readResource } from './read-source.ts'
import { readSignalRequest, type SignalVisitor, type SourceRanges } from './signal-request.ts'

// The fields of `Span` in opentelemetry/proto/trace/v1/trace.proto.
const traceIdTag = lengthTag(1)
const spanIdTag = lengthTag(2)
const parentSpanIdTag = lengthTag(4)
const nameTag = lengthTag(5)
const startTag = fixed64Tag(7)
const endTag = fixed64Tag(8)
const statusTag = lengthTag(15)
/** The field `code` of `Status`. */
const codeTag = varintTag(3)
const errorCode = 2

/**
 * Adds the spans of an `ExportTraceServiceRequest` to the store. Returns the number of spans whose IDs are invalid, which are not added.
 *
 * @throws RangeError if the request is damaged. The spans before the damage were added.
 */
export function addTracesRequest(store: SpanSink, bytes: Buffer): number {
  const adder = new SpansAdder(store, bytes)
  readSignalRequest(bytes, adder)
  return adder.rejected
}

class SpansAdder implements SignalVisitor {
  rejected = 0
  private readonly store: SpanSink
  private readonly bytes: Buffer
  private service = ''

  constructor(store: SpanSink, bytes: Buffer) {
    this.store = store
    this.bytes = bytes
  }

  source({ resource }: SourceRanges): void {
    const name =
      resource === undefined
        ? undefined
        : readResource(this.bytes.subarray(resource.start, resource.end)).get('service.name')
    this.service = typeof name === 'string' ? name : ''
  }

  item(reader: ProtoReader, end: number): void {
    let traceId = ''
    let spanId = ''
    let parentSpanId = ''
    let name = ''
    let start = 0
    let spanEnd = 0
    let hasError = false
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === traceIdTag) traceId = idAt(reader, reader.endOfField(end), traceIdBytes)
      else if (tag === spanIdTag) spanId = idAt(reader, reader.endOfField(end), spanIdBytes)
      else if (tag === parentSpanIdTag) parentSpanId = idAt(reader, reader.endOfField(end), spanIdBytes)
      else if (tag === nameTag) name = reader.textTo(reader.endOfField(end))
      else if (tag === startTag) start = reader.millisOfNanos()
      else if (tag === endTag) spanEnd = reader.millisOfNanos()
      else if (tag === statusTag) hasError = isError(reader, reader.endOfField(end))
      else reader.skipField(tag, end)
    }
    if (traceId === '' || spanId === '') this.rejected++
    else this.store.add(traceId, { spanId, parentSpanId, name, service: this.service, start, end: spanEnd, hasError })
  }
}

/** Reads an ID. Returns '' for one of another length, or of zeros, which is invalid. */
function idAt(reader: ProtoReader, end: number, bytes: number): string {
  const isValid = end - reader.pos === bytes
  if (!isValid) reader.pos = end
  const id = isValid ? reader.hexTo(end) : ''
  return /^0*$/.test(id) ? '' : id
}

function isError(reader: ProtoReader, end: number): boolean {
  let code = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === codeTag) code = reader.uint32()
    else reader.skipField(tag, end)
  }
  return code === errorCode
}

const traceIdBytes = 16
const spanIdBytes = 8
