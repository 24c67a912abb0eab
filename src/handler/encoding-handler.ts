import { encoderFor, type EncodedRecord, type Encoding, type RecordEncoder } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain.ts'
import { resolveRecord } from '../encode/resolve.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Origin } from '../pipeline/chunk.ts'
import { dropReasons } from '../pipeline/ledger.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { Handler } from './handler.ts'

/** One exporter of a logger family, as a handler sees it. */
export interface Output {
  readonly processor: BatchProcessor
  readonly origin: Origin
  readonly encoding: Encoding
  /** The least severe record it takes. */
  readonly threshold: number
}

/**
 * Encodes each record and puts the text into the queues of the outputs. Outputs that share an encoding share one walk;
 * for several encodings the record is walked once into data and written from that by each.
 *
 * A record that could not be encoded, or for which the stack did not reach up to the queue, is counted as lost.
 */
export function encodingHandler(outputs: readonly Output[], rules: Rules): Handler {
  if (outputs.length === 1) return new SingleOutput(outputs[0]!, rules)
  const groups = new Map<string, Output[]>()
  for (const output of outputs) groups.set(output.encoding.key, [...(groups.get(output.encoding.key) ?? []), output])
  return new SeveralOutputs([...groups.values()], rules)
}

const notEncoded = dropReasons.indexOf('not_encoded')

class SingleOutput implements Handler {
  private readonly output: Output
  private readonly encoder: RecordEncoder

  constructor(output: Output, rules: Rules) {
    this.output = output
    this.encoder = encoderFor(output.encoding, rules)
  }

  handle(record: LogRecord): void {
    const { processor, origin, threshold } = this.output
    const { account } = origin
    account.emitted++
    if (record.severity < threshold) {
      account.filtered++
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
      account.droppedByLevel[(record.severity - 1) >> 2]!++
    }
  }

  withRules(rules: Rules): Handler {
    return new SingleOutput(this.output, rules)
  }
}

class SeveralOutputs implements Handler {
  private readonly groups: readonly (readonly Output[])[]
  private readonly rules: Rules
  private readonly encoders: readonly RecordEncoder[]

  constructor(groups: readonly (readonly Output[])[], rules: Rules) {
    this.groups = groups
    this.rules = rules
    const fused = groups.length === 1
    this.encoders = groups.map((group) =>
      encoderFor(group[0]!.encoding, fused ? rules : { ...plainRules, limits: { ...plainRules.limits, recordBytes: rules.limits.recordBytes } }),
    )
  }

  handle(record: LogRecord): void {
    const { severity } = record
    const wanted = this.groups.map((group) => group.filter((output) => this.takes(output, severity)))
    let resolved = record
    try {
      if (this.groups.length > 1 && wanted.some((group) => group.length > 0)) resolved = resolveRecord(record, this.rules)
    } catch {
      for (const group of wanted) this.notEncoded(group, severity)
      return
    }
    wanted.forEach((group, index) => {
      if (group.length > 0) this.encodeFor(group, this.encoders[index]!, resolved)
    })
  }

  withRules(rules: Rules): Handler {
    return new SeveralOutputs(this.groups, rules)
  }

  private takes({ origin: { account }, threshold }: Output, severity: number): boolean {
    account.emitted++
    if (severity >= threshold) return true
    account.filtered++
    return false
  }

  private encodeFor(group: readonly Output[], encoder: RecordEncoder, record: LogRecord): void {
    let text: EncodedRecord
    try {
      text = encoder.encode(record)
    } catch {
      return this.notEncoded(group, record.severity)
    }
    for (const output of group) {
      try {
        output.processor.push(text, record.severity, output.origin)
      } catch {
        this.notEncoded([output], record.severity)
      }
    }
  }

  private notEncoded(group: readonly Output[], severity: number): void {
    for (const { origin } of group) {
      origin.account.accepted++
      origin.account.drop('not_encoded', severity)
    }
  }
}
