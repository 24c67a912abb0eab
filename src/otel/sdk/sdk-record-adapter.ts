import { encoderFor, type RecordEncoder } from '../../encode/encoding.ts'
import { latestMillis } from '../../encode/otlp/otlp-time.ts'
import { reportingRules } from '../../encode/shared-encoder.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { RecordOwner } from '../../pipeline/batch-buffer.ts'
import { dropReasons, type Counters } from '../../pipeline/counters.ts'
import { isPolluted, member, membersOf } from '../../options/own-members.ts'
import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import { standardLevels } from '../../record/severity.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { droppedCount, eventNameOf, severityNumberOf } from '../api/field-values.ts'
import type { ReadableSources } from './readable-sources.ts'
import { validSpanContext } from '../api/span-context.ts'
import { recordTimes, type RecordTimes } from '../api/times.ts'
import type { HrTime, ReadableLogRecord } from '../api/types.ts'

/** Whose ledger counts records, and under which origins. */
export class OwnerRegistry {
  readonly counters: Counters
  private readonly left: (() => void) | undefined
  private readonly origins = new WeakMap<BoundState, RecordOwner>()

  /** `left` is called whenever records that it counts have left the queue. */
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
 * Takes the records of an SDK into a pipeline. A record is text when `take` returns: whoever changes it later changes nothing
 * here (D5).
 *
 * One encoder serves all scopes and resources, which cost an object each. A format of lines has an encoder for each severity
 * number: there a level's name tells its number, and in an SDK it need not.
 */
export class SdkRecordAdapter {
  private readonly output: PipelineTarget
  private readonly rules: Rules
  private readonly sources: ReadableSources
  /** The format leaves a level without name out. */
  private readonly namesLevels: boolean
  private readonly encoders = new Map<number, RecordEncoder>()
  /** Whether the record at hand was cut. */
  private isCut = false

  constructor(output: PipelineTarget, rules: Rules, sources: ReadableSources) {
    this.output = output
    this.rules = reportingRules(rules, () => (this.isCut = true))
    this.sources = sources
    this.namesLevels = !output.encoding.key.startsWith('otlp')
  }

  /** Never throws. What cannot be encoded is counted as lost. */
  take(record: ReadableLogRecord, tally: OwnerRegistry): void {
    const { counters } = tally
    let weight = unspecifiedWeight
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
      if (this.isCut) this.countCut(counters)
      this.output.processor.push(text, weight, tally.originOf(bound))
    } catch {
      // Counted without a call: on an exhausted stack a call would end as the record did.
      counters.accepted++
      counters.droppedTotal++
      counters.droppedByReason[notEncoded]!++
      counters.droppedByLevel[(weight - 1) >> 2]!++
    }
  }

  /** Counts a record that comes after the end as lost. Never throws. */
  refuse(record: ReadableLogRecord, counters: Counters): void {
    counters.emitted++
    counters.accepted++
    counters.drop('shutdown', weightOf(record))
  }

  private countCut(counters: Counters): void {
    this.isCut = false
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
    return {
      time,
      exact,
      severity,
      level: this.levelOf(severityText, severity),
      body,
      literal: true,
      args: undefined,
      extra: undefined,
      attributes: typeof attributes === 'object' && attributes !== null ? attributes : undefined,
      droppedAttributes: droppedCount(droppedAttributesCount),
      exception: undefined,
      span: spanOf(record),
      eventName: eventNameOf(eventName),
      bound,
      enriched: undefined,
    }
  }

  /** Where each line says a level, the short name of the number stands in for a text that is not there (SEV4). */
  private levelOf(text: unknown, severity: number): string {
    if (typeof text === 'string' && text !== '') return text
    return this.namesLevels ? shortNames[severity]! : ''
  }
}

/** The members of a record, where all objects seem to have them. */
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

/** A severity that is not told may pass (SDK7), and gives way as INFO does (SEV6). */
const unspecifiedWeight = 9

const notEncoded = dropReasons.indexOf('not_encoded')

/** unspecified, trace, trace2, trace3, trace4, debug, and so on. */
const shortNames = [
  'unspecified',
  ...standardLevels.flatMap((level) => ['', '2', '3', '4'].map((suffix) => level + suffix)),
]

/** The usual times, which an SDK takes from one look at the clock; nanoseconds as text would cost a third of the call. */
function sameTime(made: HrTime, seen: HrTime): RecordTimes | undefined {
  if (!Array.isArray(made) || !Array.isArray(seen) || made[0] !== seen[0] || made[1] !== seen[1]) return undefined
  const [seconds, nanos] = made
  if (!Number.isInteger(seconds) || !(seconds > 0 && seconds < latestSeconds && nanos >= 0 && nanos < 1e9))
    return undefined
  const millis = Math.floor(nanos / 1e6)
  const beyond = Math.floor(nanos) - millis * 1e6
  return { time: seconds * 1_000 + millis, exact: beyond === 0 ? undefined : { nanos: beyond, observed: undefined } }
}

/** Seconds at or past it are milliseconds in truth, or end where 64 bits of nanoseconds do: no usual time. */
const latestSeconds = Math.floor(latestMillis / 1_000)

function weightOf(record: ReadableLogRecord): number {
  try {
    return severityNumberOf(member(record, 'severityNumber')) || unspecifiedWeight
  } catch {
    return unspecifiedWeight
  }
}

/** A processor in front may have put anything there. */
function spanOf(record: ReadableLogRecord): SpanContext | undefined {
  try {
    const context = isPolluted() ? member(record, 'spanContext') : record.spanContext
    return context === undefined ? undefined : validSpanContext(context)
  } catch {
    return undefined
  }
}
