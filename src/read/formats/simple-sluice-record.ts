import type { AnyValueMap } from '../../record/any-value.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'
import { emptyMap } from './json-values.ts'
import type { SimpleSluiceLine } from './simple-sluice-line.ts'
import { simpleAttributes } from './sluice-line.ts'
import type { LineSource } from './sluice-line-cursor.ts'

/**
 * The record of a line that `SimpleSluiceLine` read. Most properties are read from the bytes of the line when they are used, so it is valid
 * only as long as these bytes are.
 */
export class SimpleSluiceRecord implements ReadRecord {
  readonly format: FormatName = 'sluice'
  readonly time: number
  readonly severityNumber: number
  readonly level: string
  readonly severityText: string | undefined
  readonly origin: RecordOrigin
  readonly bytes: Buffer
  private readonly line: SimpleSluiceLine
  private readonly source: LineSource
  private readonly start: number
  private readonly end: number
  private readonly rawEnd: number
  private parsedAttributes: AnyValueMap | undefined
  private rawBytes: Uint8Array | undefined

  /**
   * @param line - the reader, after it has read the line
   * @param end - where the line ends, without its line end
   * @param rawEnd - where the next line begins
   */
  constructor(line: SimpleSluiceLine, bytes: Buffer, start: number, end: number, rawEnd: number, origin: RecordOrigin) {
    this.time = line.time
    this.severityNumber = line.level.severityNumber
    this.level = line.level.name
    this.severityText = line.level.text
    this.source = line.source
    this.origin = origin
    this.line = line
    this.bytes = bytes
    this.start = start
    this.end = end
    this.rawEnd = rawEnd
    this.parsedAttributes = undefined
    this.rawBytes = undefined
    line.record = this
  }

  /** Where the parts of the line are in `bytes`. The result is valid until another line is read. */
  get positions(): SimpleSluiceLine {
    const { line } = this
    if (line.record !== this) {
      line.read(this.bytes, this.start, this.end)
      line.record = this
    }
    return line
  }
  get message(): string {
    const { messageStart, messageEnd } = this.positions
    return this.bytes.toString('latin1', messageStart, messageEnd)
  }
  get body(): string {
    return this.message
  }
  get traceId(): string | undefined {
    const { traceStart } = this.positions
    return traceStart < 0 ? undefined : this.bytes.toString('latin1', traceStart, traceStart + 32)
  }
  get scope(): string | undefined {
    return this.source.scope
  }
  get scopeVersion(): string | undefined {
    return this.source.scopeVersion
  }
  get eventName(): string | undefined {
    return this.source.eventName
  }
  get resource(): AnyValueMap {
    return this.source.resource
  }
  get raw(): Uint8Array {
    return (this.rawBytes ??= this.bytes.subarray(this.start, this.rawEnd))
  }
  get timeUnixNano(): bigint {
    // The time has whole milliseconds.
    return BigInt(this.time) * 1_000_000n
  }
  get spanId(): string | undefined {
    const { traceStart, spanStart } = this.positions
    return traceStart < 0 ? undefined : this.bytes.toString('latin1', spanStart, spanStart + 16)
  }
  get traceFlags(): number | undefined {
    const { traceStart, traceFlags } = this.positions
    return traceStart < 0 ? undefined : traceFlags
  }
  get attributes(): AnyValueMap {
    return (this.parsedAttributes ??= this.parseAttributes())
  }

  private parseAttributes(): AnyValueMap {
    const { count, attributesStart } = this.positions
    if (count === 0) return emptyMap
    return simpleAttributes(this.bytes.toString('latin1', attributesStart - 1, this.end))
  }
}
