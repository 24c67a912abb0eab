import { encoderFor, type RecordEncoder } from '../../encode/encoding.ts'
import { latestMillis } from '../../encode/otlp/otlp-time.ts'
import { reportingRules } from '../../encode/shared-encoder.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { RecordOwner } from '../../pipeline/batch-buffer.ts'
import { notEncoded, type Counters } from '../../pipeline/counters.ts'
import { isPolluted, member, membersOf } from '../../options/own-members.ts'
import type { BoundState } from '../../record/bound.ts'
import { newRecord, type LogRecord } from '../../record/record.ts'
import { standardLevels } from '../../record/severity.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { droppedCount, eventNameOf, severityNumberOf } from '../api/field-values.ts'
import type { ReadableSources } from './readable-sources.ts'
import { validSpanContext } from '../api/span-context.ts'
import { recordTimes, type RecordTimes } from '../api/times.ts'
import type { HrTime, ReadableLogRecord } from '../api/types.ts'

/** The counters for records, and their record owners by source. */
export class OwnerRegistry {
  readonly counters: Counters
  private readonly left: (() => void) | undefined
  private readonly origins = new WeakMap<BoundState, RecordOwner>()

  /** Creates a registry. `left` is called whenever records that it counts have left the queue. */
  constructor(counters: Counters, left?: () => void) {
    this.counters = counters
    this.left = left
  }

  originOf(source: BoundState): RecordOwner {
    let owner = this.origins.get(source)
    if (owner === undefined) {
      owner = new RecordOwner(this.counters, source, undefined, this.left)
      this.origins.set(source, owner)
    }
    return owner
  }
}

/**
 * Encodes the records of an SDK and queues them in a pipeline. A record is serialized when `take` returns, so later changes to it
 * have no effect (D5).
 *
 * One encoder serves all scopes and resources, so each of them costs only one object. Line formats have an encoder for each
 * severity number, because their encoders assume that the level name determines the number, which does not hold for records of an
 * SDK.
 */
export class SdkRecordAdapter {
  private readonly output: PipelineTarget
  private readonly rules: Rules
  private readonly sources: ReadableSources
  /** Whether the format requires a level name: it omits a level without one. */
  private readonly namesLevels: boolean
  private readonly encoders = new Map<number, RecordEncoder>()
  /** Whether the current record was truncated. */
  private isTruncated = false

  constructor(output: PipelineTarget, rules: Rules, sources: ReadableSources) {
    this.output = output
    this.rules = reportingRules(rules, () => (this.isTruncated = true))
    this.sources = sources
    this.namesLevels = !output.encoding.key.startsWith('otlp')
  }

  /** Encodes and queues a record. Never throws; a record that cannot be encoded is counted as dropped. */
  push(record: ReadableLogRecord, owners: OwnerRegistry): void {
    const { counters } = owners
    let weight = unspecifiedSeverity
    counters.emitted++
    try {
      const number = severityNumberOf(isPolluted() ? member(record, 'severityNumber') : record.severityNumber)
      if (number !== 0) weight = number
      if (number !== 0 && number < this.output.threshold) {
        counters.filtered++
        return
      }
      const bound = this.sources.of(record)
      const text = this.encoder(number).encode(this.recordOf(record, number, bound))
      if (this.isTruncated) this.countTruncated(counters)
      this.output.processor.push(text, weight, owners.originOf(bound))
    } catch {
      // Update the counters without calling any function: on an exhausted stack a call would fail in the same way.
      counters.accepted++
      counters.droppedTotal++
      counters.droppedByReason[notEncoded]!++
      counters.droppedByLevel[(weight - 1) >> 2]!++
    }
  }

  /** Counts a record that arrives after shutdown as dropped. Never throws. */
  refuse(record: ReadableLogRecord, counters: Counters): void {
    counters.emitted++
    counters.accepted++
    counters.drop('shutdown', queueSeverityOf(record))
  }

  private countTruncated(counters: Counters): void {
    this.isTruncated = false
    counters.truncated++
  }

  private encoder(severity: number): RecordEncoder {
    const index = this.namesLevels ? severity : 0
    let encoder = this.encoders.get(index)
    if (encoder === undefined) this.encoders.set(index, (encoder = encoderFor(this.output.encoding, this.rules)))
    return encoder
  }

  private recordOf(record: ReadableLogRecord, severity: number, bound: BoundState): LogRecord {
    const fields = isPolluted() ? ownFields(record) : record
    const { hrTime, hrTimeObserved, severityText, body, attributes, droppedAttributesCount, eventName } = fields
    const { time, exact } = sameTime(hrTime, hrTimeObserved) ?? recordTimes(hrTime, hrTimeObserved, Date.now())
    const result = newRecord(time, severity, this.levelOf(severityText, severity), bound)
    result.exact = exact
    result.body = body
    result.literal = true
    if (typeof attributes === 'object' && attributes !== null) result.attributes = attributes
    result.droppedAttributes = droppedCount(droppedAttributesCount)
    result.span = spanOf(record)
    result.eventName = eventNameOf(eventName)
    return result
  }

  /**
   * Returns the level name. For line formats, a missing severity text is replaced by the short name of the severity number (SEV4).
   */
  private levelOf(text: unknown, severity: number): string {
    if (typeof text === 'string' && text !== '') return text
    return this.namesLevels ? shortNames[severity]! : ''
  }
}

/** Returns the own members of a record, for use when `Object.prototype` is polluted. */
function ownFields(record: ReadableLogRecord): Pick<ReadableLogRecord, (typeof fieldNames)[number]> {
  return membersOf(record, fieldNames) as ReadableLogRecord
}

const fieldNames = [
  'hrTime',
  'hrTimeObserved',
  'severityText',
  'body',
  'attributes',
  'droppedAttributesCount',
  'eventName',
] as const

/** Records without a severity pass any level (SDK7), and are evicted like INFO records (SEV6). */
const unspecifiedSeverity = 9

/** The short names by severity number: unspecified, trace, trace2, trace3, trace4, debug, and so on. */
const shortNames = [
  'unspecified',
  ...standardLevels.flatMap((level) => ['', '2', '3', '4'].map((suffix) => level + suffix)),
]

/** Fast path for equal times, which an SDK sets from one clock reading. Nanoseconds as text would cost a third of the call. */
function sameTime(occurred: HrTime, observed: HrTime): RecordTimes | undefined {
  if (
    !Array.isArray(occurred) ||
    !Array.isArray(observed) ||
    occurred[0] !== observed[0] ||
    occurred[1] !== observed[1]
  )
    return undefined
  const [seconds, nanos] = occurred
  if (!Number.isInteger(seconds) || !(seconds > 0 && seconds < latestSeconds && nanos >= 0 && nanos < 1e9))
    return undefined
  const millis = Math.floor(nanos / 1e6)
  const beyond = Math.floor(nanos) - millis * 1e6
  return { time: seconds * 1_000 + millis, exact: beyond === 0 ? undefined : { nanos: beyond, observed: undefined } }
}

/**
 * The upper limit of the fast path in seconds. Larger values are milliseconds passed as seconds, or do not fit into 64 bits of
 * nanoseconds.
 */
const latestSeconds = Math.floor(latestMillis / 1_000)

function queueSeverityOf(record: ReadableLogRecord): number {
  try {
    return severityNumberOf(member(record, 'severityNumber')) || unspecifiedSeverity
  } catch {
    return unspecifiedSeverity
  }
}

/** Returns the span context of a record. An earlier processor may have set it to any value. */
function spanOf(record: ReadableLogRecord): SpanContext | undefined {
  try {
    const context = isPolluted() ? member(record, 'spanContext') : record.spanContext
    return context === undefined ? undefined : validSpanContext(context)
  } catch {
    return undefined
  }
}
