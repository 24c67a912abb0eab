import { encoderFor, type Encoding, type RecordEncoder } from '../encode/encoding.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { SharedEncoder, withTruncationListener, type SharedRecord } from '../encode/shared-encoder.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import { notEncodedIndex } from '../pipeline/counters.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { Capturable } from './record-capture.ts'
import type { RecordHandler } from './record-handler.ts'

/** An exporter of a root logger and its children: what a handler needs to encode records for it and queue them. */
export interface PipelineTarget extends Capturable {
  readonly processor: BatchProcessor
  readonly owner: RecordOwner
  readonly encoding: Encoding
  /** The lowest severity that the exporter accepts. While its records are captured, it accepts none. */
  threshold: number
}

/**
 * Creates a handler that encodes each record and adds the text to the queues of the targets. Targets with the same encoding share the text;
 * for several encodings, the record is walked once for all of them.
 *
 * A record that cannot be encoded, or that is not queued because the stack is exhausted, is counted as dropped.
 */
export function encodingHandler(targets: readonly PipelineTarget[], rules: Rules): RecordHandler {
  if (targets.length === 1) return new SingleTargetHandler(targets[0]!, rules)
  const groups = new Map<string, PipelineTarget[]>()
  for (const target of targets) groups.set(target.encoding.key, [...(groups.get(target.encoding.key) ?? []), target])
  return new SeveralTargetsHandler([...groups.values()], rules)
}

/**
 * Returns the owner of a child's records. If the child's rules have other redaction patterns than the previous rules, the owner's scope
 * and resource are redacted with them, because OTLP sends scope and resource once for many records.
 */
export function ownerWithRules(
  { redaction: { patterns } }: Rules,
  owner: RecordOwner,
  previousRules: Rules,
): RecordOwner {
  if (patterns === previousRules.redaction.patterns) return owner
  const { scope, resource } = owner.source
  return ownerWithSource(
    { scope: redactedScope(scope, patterns), resource: redactedResource(resource, patterns) },
    owner,
  )
}

/** Returns an owner of records with another scope or resource. */
export function ownerWithSource(source: InstrumentationSource, owner: RecordOwner): RecordOwner {
  return new RecordOwner(owner.counters, source, owner.retainedObject ?? owner, owner.onLeftQueue)
}

/** The severity number with which records of severity 0 (unspecified) are filtered: INFO. */
const severityOfUnspecified = 9

class SingleTargetHandler implements RecordHandler {
  private readonly target: PipelineTarget
  private readonly owner: RecordOwner
  private readonly rules: Rules
  private readonly encoder: RecordEncoder

  constructor(target: PipelineTarget, rules: Rules, owner: RecordOwner = target.owner) {
    this.target = target
    this.owner = owner
    this.rules = rules
    const { counters } = owner
    let emittedAtTruncation = 0
    // Each record counts once, even if several parts of it are truncated: `emitted` grows with each record, so it identifies the record.
    const countTruncated = () => {
      if (emittedAtTruncation !== counters.emitted) counters.truncated++
      emittedAtTruncation = counters.emitted
    }
    this.encoder = encoderFor(target.encoding, withTruncationListener(rules, countTruncated))
  }

  handle(record: LogRecord): void {
    const { processor, threshold } = this.target
    const { owner } = this
    const { counters } = owner
    counters.emitted++
    if (record.severity < threshold && (record.severity !== 0 || threshold > severityOfUnspecified)) {
      counters.filtered++
      this.target.recordCapture?.handle(record, this.rules)
      return
    }
    try {
      const text = this.encoder.encode(record)
      processor.push(text, record.severity, owner)
    } catch {
      // Count without a function call, which would throw too if the stack is exhausted.
      counters.accepted++
      counters.droppedTotal++
      counters.droppedByReason[notEncodedIndex]!++
      // One counter for each four severity numbers. A record without a severity counts as INFO.
      counters.droppedByLevel[record.severity < 1 ? 2 : (record.severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    return new SingleTargetHandler(this.target, rules, ownerWithRules(rules, this.owner, this.rules))
  }

  withSource(source: InstrumentationSource): RecordHandler {
    return new SingleTargetHandler(this.target, this.rules, ownerWithSource(source, this.owner))
  }
}

class SeveralTargetsHandler implements RecordHandler {
  /** Groups of targets with the same encoding. */
  private readonly groups: readonly (readonly PipelineTarget[])[]
  private readonly rules: Rules
  /** The targets of all groups. `owners` and `groupIndexes` have the owner of its records and its group at the same index. */
  private readonly targets: readonly PipelineTarget[]
  private readonly owners: readonly RecordOwner[]
  private readonly groupIndexes: readonly number[]
  /** The encoder for the encodings of all groups. */
  private readonly encoder: SharedEncoder
  /** The encoders of single groups, for records that only one group accepts. */
  private readonly encoders: (SharedEncoder | undefined)[]

  constructor(groups: readonly (readonly PipelineTarget[])[], rules: Rules, owners?: readonly RecordOwner[]) {
    this.groups = groups
    this.rules = rules
    this.targets = groups.flat()
    this.owners = owners ?? this.targets.map(({ owner }) => owner)
    this.groupIndexes = groups.flatMap((group, index) => group.map(() => index))
    this.encoder = new SharedEncoder(encodingsOf(groups), rules)
    this.encoders = groups.map(() => (groups.length === 1 ? this.encoder : undefined))
  }

  handle(record: LogRecord): void {
    const { severity } = record
    const { targets, owners, groupIndexes } = this
    /** The group of the first target that accepts the record; -1 if none does. */
    let firstGroup = -1
    let needsSeveralEncodings = false
    // Count without a function call, so that an exhausted stack cannot leave only some of the targets counted.
    for (let i = 0; i < targets.length; i++) {
      const { threshold } = targets[i]!
      const { counters } = owners[i]!
      counters.emitted++
      if (severity < threshold && (severity !== 0 || threshold > severityOfUnspecified)) counters.filtered++
      else if (firstGroup < 0) firstGroup = groupIndexes[i]!
      else if (firstGroup !== groupIndexes[i]) needsSeveralEncodings = true
    }
    if (firstGroup < 0) {
      targets[0]!.recordCapture?.handle(record, this.rules)
      return
    }
    let encoded: SharedRecord | undefined
    try {
      encoded = (needsSeveralEncodings ? this.encoder : this.encoderOf(firstGroup)).encode(record)
    } catch {
      // No target has text for this record.
    }
    for (let i = 0; i < targets.length; i++) {
      const { processor, threshold } = targets[i]!
      const owner = owners[i]!
      if (severity < threshold && (severity !== 0 || threshold > severityOfUnspecified)) continue
      try {
        const index = needsSeveralEncodings ? groupIndexes[i]! : 0
        const text = encoded?.texts[index]
        if (text !== undefined) {
          if (encoded!.truncatedFlags[index]!) owner.counters.truncated++
          processor.push(text, severity, owner)
          continue
        }
      } catch {
        // Counted below, without a function call.
      }
      owner.counters.accepted++
      owner.counters.droppedTotal++
      owner.counters.droppedByReason[notEncodedIndex]!++
      // One counter for each four severity numbers. A record without a severity counts as INFO.
      owner.counters.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    const owners = this.owners.map((owner) => ownerWithRules(rules, owner, this.rules))
    return new SeveralTargetsHandler(this.groups, rules, owners)
  }

  withSource(source: InstrumentationSource): RecordHandler {
    const owners = this.owners.map((owner) => ownerWithSource(source, owner))
    return new SeveralTargetsHandler(this.groups, this.rules, owners)
  }

  private encoderOf(group: number): SharedEncoder {
    return (this.encoders[group] ??= new SharedEncoder(encodingsOf([this.groups[group]!]), this.rules))
  }
}

function encodingsOf(groups: readonly (readonly PipelineTarget[])[]): readonly Encoding[] {
  return groups.map(([first]) => first!.encoding)
}
