import type { FormatName, RecordOrigin } from '../../read/record.ts'
import type { LogStore } from '../store/log-store.ts'
import { LogHeadReader } from './log-head.ts'
import { readSignalRequest, type SignalVisitor, type SourceRanges } from './signal-request.ts'
import type { ProtoReader } from './proto-reader.ts'
import { readResource, readScope } from './read-source.ts'

const format: FormatName = 'otlp'
const origin: RecordOrigin = { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined }

/**
 * Adds the records of an `ExportLogsServiceRequest` to the store. Returns their number.
 *
 * @throws RangeError if the request is damaged. The records before the damage were added.
 */
export function addLogsRequest(store: LogStore, bytes: Buffer, now: number): number {
  const adder = new LogsAdder(store, bytes, now)
  readSignalRequest(bytes, adder)
  return adder.count
}

class LogsAdder implements SignalVisitor {
  count = 0
  private readonly head = new LogHeadReader()
  private readonly store: LogStore
  private readonly bytes: Buffer
  private readonly now: number
  private ranges: SourceRanges | undefined
  private sourceNumber = 0

  constructor(store: LogStore, bytes: Buffer, now: number) {
    this.store = store
    this.bytes = bytes
    this.now = now
  }

  source(ranges: SourceRanges): void {
    this.ranges = ranges
  }

  item(reader: ProtoReader, end: number): void {
    const start = reader.pos
    this.head.read(reader, end)
    // A source is only known while it has records.
    if (this.ranges !== undefined) this.sourceNumber = this.numberOf(this.ranges)
    this.ranges = undefined
    this.store.add(this.bytes, start, end, this.sourceNumber, this.head, this.now)
    this.count++
  }

  private numberOf({ resource, scope }: SourceRanges): number {
    const resourceBytes = this.bytes.subarray(resource?.start ?? 0, resource?.end ?? 0)
    const scopeBytes = this.bytes.subarray(scope?.start ?? 0, scope?.end ?? 0)
    const key = `otlp ${resourceBytes.length} ${resourceBytes.toString('latin1')}${scopeBytes.toString('latin1')}`
    return this.store.sources.numberOf(key, () => {
      const { name, version } = readScope(scopeBytes)
      return { format, origin, resource: readResource(resourceBytes), scope: name, scopeVersion: version }
    })
  }
}
