import { encoderFor, type Encoding, type RecordEncoder } from '../encode/encoding.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { SharedEncoder, tellingRules, type SharedRecord } from '../encode/shared-encoder.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { Origin } from '../pipeline/chunk.ts'
import { dropReasons } from '../pipeline/ledger.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { Divertible } from './diversion.ts'
import type { RecordHandler } from './record-handler.ts'

/** One exporter of a logger family, as a handler sees it. */
export interface Output extends Divertible {
  readonly processor: BatchProcessor
  readonly origin: Origin
  readonly encoding: Encoding
  /** The least severe record it takes; none while its records go elsewhere. */
  threshold: number
}

/**
 * Encodes each record and puts the text into the queues of the outputs. Outputs with
 * the same encoding share its text; for several encodings the record is walked once into all of them.
 *
 * A record that could not be encoded, or for which the stack did not reach up to the queue, is counted as lost.
 */
export function encodingHandler(outputs: readonly Output[], rules: Rules): RecordHandler {
  if (outputs.length === 1) return new SingleOutput(outputs[0]!, rules)
  const groups = new Map<string, Output[]>()
  for (const output of outputs) groups.set(output.encoding.key, [...(groups.get(output.encoding.key) ?? []), output])
  return new SeveralOutputs([...groups.values()], rules)
}

/** The origin of a child's records. Its rules may have more patterns, and OTLP sends scope and resource once for many records. */
function originUnder({ redaction: { patterns } }: Rules, origin: Origin, before: Rules): Origin {
  if (patterns === before.redaction.patterns) return origin
  const { scope, resource } = origin.source
  const source = { scope: redactedScope(scope, patterns), resource: redactedResource(resource, patterns) }
  return new Origin(origin.account, source, origin.owner, origin.left)
}

/** What a record of no severity counts as (SEV6): INFO. */
const unspecified = 9

const notEncoded = dropReasons.indexOf('not_encoded')

class SingleOutput implements RecordHandler {
  private readonly output: Output
  private readonly origin: Origin
  private readonly rules: Rules
  private readonly encoder: RecordEncoder

  constructor(output: Output, rules: Rules, origin: Origin = output.origin) {
    this.output = output
    this.origin = origin
    this.rules = rules
    const { account } = origin
    let counted = 0
    // `emitted` tells records apart: one is counted once, whatever of it is cut.
    const truncated = () => {
      if (counted !== account.emitted) account.truncated++
      counted = account.emitted
    }
    this.encoder = encoderFor(output.encoding, tellingRules(rules, truncated))
  }

  handle(record: LogRecord): void {
    const { processor, threshold } = this.output
    const { origin } = this
    const { account } = origin
    account.emitted++
    if (record.severity < threshold && (record.severity !== 0 || threshold > unspecified)) {
      account.filtered++
      this.output.diversion?.handle(record, this.rules)
      return
    }
    try {
      const text = this.encoder.encode(record)
      processor.push(text, record.severity, origin)
    } catch {
      // Counted without a call: on an exhausted stack a call would end as the record did.
      account.accepted++
      account.droppedTotal++
      account.droppedByReason[notEncoded]!++
      account.droppedByLevel[record.severity < 1 ? 2 : (record.severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    return new SingleOutput(this.output, rules, originUnder(rules, this.origin, this.rules))
  }
}

class SeveralOutputs implements RecordHandler {
  private readonly groups: readonly (readonly Output[])[]
  private readonly rules: Rules
  /** The outputs of all groups, with the origin of their records and the index of their group. */
  private readonly outputs: readonly Output[]
  private readonly origins: readonly Origin[]
  private readonly groupOf: readonly number[]
  private readonly encoder: SharedEncoder
  /** The encoders of single groups, for records that only one accepts. */
  private readonly encoders: (SharedEncoder | undefined)[]

  constructor(groups: readonly (readonly Output[])[], rules: Rules, origins?: readonly Origin[]) {
    this.groups = groups
    this.rules = rules
    this.outputs = groups.flat()
    this.origins = origins ?? this.outputs.map(({ origin }) => origin)
    this.groupOf = groups.flatMap((group, index) => group.map(() => index))
    this.encoder = new SharedEncoder(encodingsOf(groups), rules)
    this.encoders = groups.map(() => (groups.length === 1 ? this.encoder : undefined))
  }

  handle(record: LogRecord): void {
    const { severity } = record
    const { outputs, origins, groupOf } = this
    let first = -1
    let isShared = false
    // Counted without a call: an exhausted stack must find all of them counted, or none.
    for (let i = 0; i < outputs.length; i++) {
      const { threshold } = outputs[i]!
      const { account } = origins[i]!
      account.emitted++
      if (severity < threshold && (severity !== 0 || threshold > unspecified)) account.filtered++
      else if (first < 0) first = groupOf[i]!
      else if (first !== groupOf[i]) isShared = true
    }
    if (first < 0) {
      outputs[0]!.diversion?.handle(record, this.rules)
      return
    }
    let encoded: SharedRecord | undefined
    try {
      encoded = (isShared ? this.encoder : this.encoderOf(first)).encode(record)
    } catch {
      // there is no text for any of them
    }
    for (let i = 0; i < outputs.length; i++) {
      const { processor, threshold } = outputs[i]!
      const origin = origins[i]!
      if (severity < threshold && (severity !== 0 || threshold > unspecified)) continue
      try {
        const place = isShared ? groupOf[i]! : 0
        const text = encoded?.texts[place]
        if (text !== undefined) {
          if (encoded!.cut[place]!) origin.account.truncated++
          processor.push(text, severity, origin)
          continue
        }
      } catch {
        // counted below, without a call
      }
      origin.account.accepted++
      origin.account.droppedTotal++
      origin.account.droppedByReason[notEncoded]!++
      origin.account.droppedByLevel[severity < 1 ? 2 : (severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): RecordHandler {
    const origins = this.origins.map((origin) => originUnder(rules, origin, this.rules))
    return new SeveralOutputs(this.groups, rules, origins)
  }

  private encoderOf(group: number): SharedEncoder {
    return (this.encoders[group] ??= new SharedEncoder(encodingsOf([this.groups[group]!]), this.rules))
  }
}

function encodingsOf(groups: readonly (readonly Output[])[]): readonly Encoding[] {
  return groups.map(([first]) => first!.encoding)
}
