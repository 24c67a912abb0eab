import { encoderFor, type Encoding, type RecordEncoder } from '../encode/encoding.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { SharedEncoder, reportingRules, type SharedRecord } from '../encode/shared-encoder.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import { notEncoded } from '../pipeline/counters.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { Capturable } from './record-capture.ts'
import type { RecordHandler } from './record-handler.ts'

/** An exporter of a root logger and its children, as the target of a handler. */
export interface PipelineTarget extends Capturable {
  readonly processor: BatchProcessor
  readonly owner: RecordOwner
  readonly encoding: Encoding
  /** The lowest severity that the exporter accepts. While its records are captured, it accepts none. */
  threshold: number
}

/**
 * Encodes each record and adds the text to the queues of the outputs. Outputs with the same encoding share the text; for several
 * encodings, the record is walked once for all of them.
 *
 * A record that cannot be encoded, or that is not queued because the stack is exhausted, is counted as dropped.
 */
export function encodingHandler(outputs: readonly PipelineTarget[], rules: Rules): RecordHandler {
  if (outputs.length === 1) return new SingleOutput(outputs[0]!, rules)
  const groups = new Map<string, PipelineTarget[]>()
  for (const output of outputs) groups.set(output.encoding.key, [...(groups.get(output.encoding.key) ?? []), output])
  return new SeveralOutputs([...groups.values()], rules)
}

/**
 * Returns the owner of a child's records. If the child's rules have other redaction patterns, it has a scope and resource
 * redacted with these, because OTLP sends scope and resource once for many records.
 */
function ownerWithRules({ redaction: { patterns } }: Rules, owner: RecordOwner, before: Rules): RecordOwner {
  if (patterns === before.redaction.patterns) return owner
  const { scope, resource } = owner.source
  const source = { scope: redactedScope(scope, patterns), resource: redactedResource(resource, patterns) }
  return new RecordOwner(owner.counters, source, owner.retained, owner.onLeft)
}

/** The severity of records without one: INFO (SEV6). */
const unspecified = 9

class SingleOutput implements RecordHandler {
  private readonly output: PipelineTarget
  private readonly owner: RecordOwner
  private readonly rules: Rules
  private readonly encoder: RecordEncoder

  constructor(output: PipelineTarget, rules: Rules, owner: RecordOwner = output.owner) {
    this.output = output
    this.owner = owner
    this.rules = rules
    const { counters } = owner
    let counted = 0
    // `emitted` identifies the record: each record counts once, even if several parts of it are truncated.
    const truncated = () => {
      if (counted !== counters.emitted) counters.truncated++
      counted = counters.emitted
    }
    this.encoder = encoderFor(output.encoding, reportingRules(rules, truncated))
  }

  handle(record: LogRecord): void {
    const { processor, threshold } = this.output
    const { owner } = this
    const { counters } = owner
    counters.emitted++
    if (record.severity < threshold && (record.severity !== 0 || threshold > unspecified)) {
      counters.filtered++
      this.output.activeCapture?.handle(record, this.rules)
      return
    }
    try {
      const text = this.encoder.encode(record)
      processor.push(text, record.severity, owner)
    } catch {
      // Counted without a call, which would fail like the record if the stack is exhausted.
      counters.accepted++
      counters.droppedTotal++
      counters.droppedByReason[notEncoded]!++
      counters.droppedByLevel[record.severity < 1 ? 2 : (record.severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    return new SingleOutput(this.output, rules, ownerWithRules(rules, this.owner, this.rules))
  }
}

class SeveralOutputs implements RecordHandler {
  private readonly groups: readonly (readonly PipelineTarget[])[]
  private readonly rules: Rules
  /** The outputs of all groups, with the owner of their records and the index of their group. */
  private readonly outputs: readonly PipelineTarget[]
  private readonly owners: readonly RecordOwner[]
  private readonly groupOf: readonly number[]
  private readonly encoder: SharedEncoder
  /** The encoders of single groups, for records that only one group accepts. */
  private readonly encoders: (SharedEncoder | undefined)[]

  constructor(groups: readonly (readonly PipelineTarget[])[], rules: Rules, owners?: readonly RecordOwner[]) {
    this.groups = groups
    this.rules = rules
    this.outputs = groups.flat()
    this.owners = owners ?? this.outputs.map(({ owner }) => owner)
    this.groupOf = groups.flatMap((group, index) => group.map(() => index))
    this.encoder = new SharedEncoder(encodingsOf(groups), rules)
    this.encoders = groups.map(() => (groups.length === 1 ? this.encoder : undefined))
  }

  handle(record: LogRecord): void {
    const { severity } = record
    const { outputs, owners, groupOf } = this
    let first = -1
    let isShared = false
    // Counted without a call, so that an exhausted stack leaves either all outputs counted or none.
    for (let i = 0; i < outputs.length; i++) {
      const { threshold } = outputs[i]!
      const { counters } = owners[i]!
      counters.emitted++
      if (severity < threshold && (severity !== 0 || threshold > unspecified)) counters.filtered++
      else if (first < 0) first = groupOf[i]!
      else if (first !== groupOf[i]) isShared = true
    }
    if (first < 0) {
      outputs[0]!.activeCapture?.handle(record, this.rules)
      return
    }
    let encoded: SharedRecord | undefined
    try {
      encoded = (isShared ? this.encoder : this.encoderOf(first)).encode(record)
    } catch {
      // No output has text for this record.
    }
    for (let i = 0; i < outputs.length; i++) {
      const { processor, threshold } = outputs[i]!
      const owner = owners[i]!
      if (severity < threshold && (severity !== 0 || threshold > unspecified)) continue
      try {
        const index = isShared ? groupOf[i]! : 0
        const text = encoded?.texts[index]
        if (text !== undefined) {
          if (encoded!.cut[index]!) owner.counters.truncated++
          processor.push(text, severity, owner)
          continue
        }
      } catch {
        // Counted below, without a call.
      }
      owner.counters.accepted++
      owner.counters.droppedTotal++
      owner.counters.droppedByReason[notEncoded]!++
      owner.counters.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    const owners = this.owners.map((owner) => ownerWithRules(rules, owner, this.rules))
    return new SeveralOutputs(this.groups, rules, owners)
  }

  private encoderOf(group: number): SharedEncoder {
    return (this.encoders[group] ??= new SharedEncoder(encodingsOf([this.groups[group]!]), this.rules))
  }
}

function encodingsOf(groups: readonly (readonly PipelineTarget[])[]): readonly Encoding[] {
  return groups.map(([first]) => first!.encoding)
}
