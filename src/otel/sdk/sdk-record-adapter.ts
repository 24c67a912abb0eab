import { encoderFor, type RecordEncoder } from '../../encode/encoding.ts'
import { latestMillis } from '../../encode/otlp/otlp-time.ts'
import { withTruncationListener } from '../../encode/shared-encoder.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { RecordOwner } from '../../pipeline/batch-buffer.ts'
import { notEncodedIndex, type Counters } from '../../pipeline/counters.ts'
import { isObjectPrototypePolluted, member, membersOf } from '../../options/own-members.ts'
import type { BoundState } from '../../record/bound.ts'
import { newRecord, type LogRecord } from '../../record/record.ts'
import { standardLevels } from '../../record/severity.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { validDroppedCount, validEventName, validSeverityNumber } from '../api/field-values.ts'
import type { SdkBoundStates } from './sdk-bound-states.ts'
import { validSpanContext } from '../api/span-context.ts'
import { recordTimes, type RecordTimes } from '../api/times.ts'
import type { HrTime, ReadableLogRecord } from '../api/types.ts'

/** The counters of records, and a `RecordOwner` with these counters for each scope and resource. */
export class OwnerRegistry {
  readonly counters: Counters
  private readonly onRecordsLeft: (() => void) | undefined
  private readonly owners = new WeakMap<BoundState, RecordOwner>()

  /** @param onRecordsLeft - called whenever records of these counters have left the queue */
  constructor(counters: Counters, onRecordsLeft?: () => void) {
    this.counters = counters
    this.onRecordsLeft = onRecordsLeft
  }

  ownerOf(bound: BoundState): RecordOwner {
    let owner = this.owners.get(bound)
    if (owner === undefined) {
      owner = new RecordOwner(this.counters, bound, undefined, this.onRecordsLeft)
      this.owners.set(bound, owner)
    }
    return owner
  }
}

/**
 * Encodes the records of an SDK and queues them in a pipeline. A record is serialized when `push` returns, so later changes to it have
 * no effect.
 *
 * Encoders do not depend on scopes and resources: each scope and resource has a `RecordOwner`, but no encoder of its own. OTLP has
 * one encoder. The other formats have one for each severity number: these encoders assume that the level name determines the number, which
 * is not the case in records of an SDK.
 */
export class SdkRecordAdapter {
  private readonly target: PipelineTarget
  private readonly rules: Rules
  private readonly boundStates: SdkBoundStates
  /** Whether records need a level name and an encoder for each severity number. False for OTLP. */
  private readonly needsLevelName: boolean
  private readonly encoders = new Map<number, RecordEncoder>()
  /** Whether the record that is being encoded was truncated. */
  private isTruncated = false

  constructor(target: PipelineTarget, rules: Rules, boundStates: SdkBoundStates) {
    this.target = target
    this.rules = withTruncationListener(rules, () => (this.isTruncated = true))
    this.boundStates = boundStates
    this.needsLevelName = !target.encoding.key.startsWith('otlp')
  }

  /** Encodes and queues a record. Never throws; a record that cannot be encoded is counted as dropped. */
  push(record: ReadableLogRecord, owners: OwnerRegistry): void {
    const { counters } = owners
    let queueSeverity = unspecifiedSeverity
    counters.emitted++
    try {
      const severity = validSeverityNumber(
        isObjectPrototypePolluted() ? member(record, 'severityNumber') : record.severityNumber,
      )
      if (severity !== 0) queueSeverity = severity
      if (severity !== 0 && severity < this.target.threshold) {
        counters.filtered++
        return
      }
      const bound = this.boundStates.of(record)
      const text = this.encoderOf(severity).encode(this.recordOf(record, severity, bound))
      if (this.isTruncated) this.countTruncated(counters)
      this.target.processor.push(text, queueSeverity, owners.ownerOf(bound))
    } catch {
      // Update the counters without calling any function: on an exhausted stack a call would fail in the same way. The index is that
      // of `severityRange`.
      counters.accepted++
      counters.droppedTotal++
      counters.droppedByReason[notEncodedIndex]!++
      counters.droppedByLevel[(queueSeverity - 1) >> 2]!++
    }
  }

  /** Counts a record that arrives after shutdown as dropped (`shutdown`). Never throws. */
  countAsDropped(record: ReadableLogRecord, counters: Counters): void {
    counters.emitted++
    counters.accepted++
    counters.drop('shutdown', queueSeverityOf(record))
  }

  private countTruncated(counters: Counters): void {
    this.isTruncated = false
    counters.truncated++
  }

  private encoderOf(severity: number): RecordEncoder {
    const key = this.needsLevelName ? severity : 0
    let encoder = this.encoders.get(key)
    if (encoder === undefined) this.encoders.set(key, (encoder = encoderFor(this.target.encoding, this.rules)))
    return encoder
  }

  private recordOf(record: ReadableLogRecord, severity: number, bound: BoundState): LogRecord {
    const fields = isObjectPrototypePolluted() ? ownFields(record) : record
    const { hrTime, hrTimeObserved, severityText, body, attributes, droppedAttributesCount, eventName } = fields
    const { time, exactTimes } = timesIfEqual(hrTime, hrTimeObserved) ?? recordTimes(hrTime, hrTimeObserved, Date.now())
    const result = newRecord(time, severity, this.levelOf(severityText, severity), bound)
    result.exactTimes = exactTimes
    result.body = body
    result.keepsBraces = true
    if (typeof attributes === 'object' && attributes !== null) result.attributes = attributes
    result.droppedAttributes = validDroppedCount(droppedAttributesCount)
    result.span = spanContextOf(record)
    result.eventName = validEventName(eventName)
    return result
  }

  /**
   * Returns the level name. For formats other than OTLP, a missing severity text is replaced by the short name of the severity number.
   */
  private levelOf(text: unknown, severity: number): string {
    if (typeof text === 'string' && text !== '') return text
    return this.needsLevelName ? shortNames[severity]! : ''
  }
}

/** Returns the fields of a record, without members of a polluted `Object.prototype`. */
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

/** The severity by which the queue treats records that have none: they are evicted like INFO records. No level filters them. */
const unspecifiedSeverity = 9

/** The short names by severity number: unspecified, trace, trace2, trace3, trace4, debug, and so on. */
const shortNames = [
  'unspecified',
  ...standardLevels.flatMap((level) => ['', '2', '3', '4'].map((suffix) => level + suffix)),
]

/**
 * Returns the times of a record if both are equal and valid, as in records that an SDK has created; otherwise undefined. This is a fast
 * path: converting the observed time to text, as `recordTimes` does, would cost a third of the call.
 */
function timesIfEqual(occurred: HrTime, observed: HrTime): RecordTimes | undefined {
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
  const nanosOfMilli = Math.floor(nanos) - millis * 1e6
  return {
    time: seconds * 1_000 + millis,
    exactTimes: nanosOfMilli === 0 ? undefined : { nanos: nanosOfMilli, observedNanos: undefined },
  }
}

/**
 * The limit of the fast path, in seconds since the Unix epoch. 64 bits of nanoseconds cannot represent larger values, which can be
 * milliseconds passed as seconds.
 */
const latestSeconds = Math.floor(latestMillis / 1_000)

/** Returns the severity by which the queue and the counters treat a record. */
function queueSeverityOf(record: ReadableLogRecord): number {
  try {
    return validSeverityNumber(member(record, 'severityNumber')) || unspecifiedSeverity
  } catch {
    return unspecifiedSeverity
  }
}

/** Returns the span context of a record; undefined if it is invalid. An earlier processor may have set it to any value. */
function spanContextOf(record: ReadableLogRecord): SpanContext | undefined {
  try {
    const spanContext = isObjectPrototypePolluted() ? member(record, 'spanContext') : record.spanContext
    return spanContext === undefined ? undefined : validSpanContext(spanContext)
  } catch {
    return undefined
  }
}
