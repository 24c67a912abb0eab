import { emptyMap } from '../../read/formats/json-values.ts'
import type { FormatName, RecordOrigin } from '../../read/record.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { LogStore } from '../store/log-store.ts'
import { LogHeadReader } from './log-head.ts'
import { levelOfRecord, OtlpRecord, type RecordSource } from './otlp-record.ts'
import { readSignalRequest, type SignalVisitor, type SourceRanges } from './signal-request.ts'
import type { ProtoReader } from './proto-reader.ts'
import { readResource, readScope } from './read-source.ts'

const format: FormatName = 'otlp'
const origin: RecordOrigin = { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined }
const noSource: RecordSource = { format, origin, resource: emptyMap, scope: undefined, scopeVersion: undefined }

/**
 * Adds the records of an `ExportLogsServiceRequest` to the store. Returns their number.
 *
 * @param duplicates - finds records that were added already; undefined to add all of them
 * @throws RangeError if the request is damaged. The records before the damage were added.
 */
export function addLogsRequest(store: LogStore, bytes: Buffer, now: number, duplicates?: DuplicateFinder): number {
  const adder = new LogsAdder(store, bytes, now, duplicates)
  readSignalRequest(bytes, adder)
  return adder.count
}

class LogsAdder implements SignalVisitor {
  count = 0
  private readonly head = new LogHeadReader()
  private readonly store: LogStore
  private readonly bytes: Buffer
  private readonly now: number
  private readonly duplicates: DuplicateFinder | undefined
  private ranges: SourceRanges | undefined
  private sourceNumber = 0

  constructor(store: LogStore, bytes: Buffer, now: number, duplicates: DuplicateFinder | undefined) {
    this.store = store
    this.bytes = bytes
    this.now = now
    this.duplicates = duplicates
  }

  source(ranges: SourceRanges): void {
    this.ranges = ranges
  }

  item(reader: ProtoReader, end: number): void {
    const start = reader.pos
    this.head.read(reader, end)
    this.count++
    if (this.isDuplicate(start, end)) return
    // A source is only known while it has records.
    if (this.ranges !== undefined) this.sourceNumber = this.numberOf(this.ranges)
    this.ranges = undefined
    this.store.add(this.bytes, start, end, this.sourceNumber, this.head, this.now)
  }

  private isDuplicate(start: number, end: number): boolean {
    const { head, duplicates } = this
    if (duplicates === undefined) return false
    const { severityNumber } = levelOfRecord(head.severityText ?? '', head.severityNumber)
    const message = () => new OtlpRecord(this.bytes.subarray(start, end), noSource).message
    return duplicates.isDuplicate(head.time, severityNumber, message)
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
