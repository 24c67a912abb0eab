import { encoderFor, type Encoding } from '../encode/encoding.ts'
import { SharedEncoder, withTruncationListener } from '../encode/shared-encoder.ts'
import { ownerWithRules, ownerWithSource, type PipelineTarget } from '../handler/encoding-handler.ts'
import type { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { EncodedForHolding, HeldDestination } from './held-record.ts'
import { CaptureDestination, QueueDestination } from './held-destinations.ts'

/** Encodes a record, and sets all members of the result except `destination`. */
type Encode = (record: LogRecord, result: Result) => void

type Result = { -readonly [name in keyof EncodedForHolding]: EncodedForHolding[name] }

/** How the records of one severity are encoded, and where they go; undefined for `encode` if no exporter accepts them. */
interface SeverityEntry {
  readonly encode: Encode | undefined
  readonly destination: HeldDestination
}

/**
 * Encodes records that are held, with one set of rules: once for each encoding of the exporters that accept their severity. Nothing is
 * counted here, so that the caller can count a record whose encoding exhausts the stack.
 */
export class HeldEncoder {
  private readonly targets: readonly PipelineTarget[]
  private readonly owners: readonly RecordOwner[]
  private readonly rules: Rules
  private readonly entries = new Map<number, SeverityEntry>()
  /** The functions that encode records, by the keys of their encodings. */
  private readonly encodeFunctions = new Map<string, Encode>()
  /** The result of the last call of `encode`: a new object for each record would be garbage at once. */
  private readonly result: Result

  /** @param owners - the owners of the records, one for each target */
  constructor(targets: readonly PipelineTarget[], owners: readonly RecordOwner[], rules: Rules) {
    this.targets = targets
    this.owners = owners
    this.rules = rules
    const destination = new QueueDestination(targets, owners, [])
    this.result = { text: '', lengths: undefined, truncatedFlags: undefined, destination }
  }

  /**
   * Encodes a record. Returns undefined if no exporter accepts its severity. The result is valid until the next call. Throws only if the
   * stack is exhausted.
   */
  encode(record: LogRecord): EncodedForHolding | undefined {
    // While records are captured, the thresholds of the targets are not those of the exporters.
    const { recordCapture } = this.targets[0]!
    if (recordCapture !== undefined) {
      const text = recordCapture.encode(record, this.rules)
      const destination = new CaptureDestination(this.owners, recordCapture)
      return { text, lengths: undefined, truncatedFlags: undefined, destination }
    }
    const { severity } = record
    let entry = this.entries.get(severity)
    if (entry === undefined) this.entries.set(severity, (entry = this.entryFor(severity)))
    if (entry.encode === undefined) return undefined
    const { result } = this
    entry.encode(record, result)
    result.destination = entry.destination
    return result
  }

  /** Counts a record that is not held as filtered. Calls no function, so that an exhausted stack cannot leave only some counted. */
  countFiltered(): void {
    for (let i = 0; i < this.owners.length; i++) {
      const { counters } = this.owners[i]!
      counters.emitted++
      counters.filtered++
    }
  }

  /** Returns the encoder of a child logger with other rules. */
  withRules(rules: Rules): HeldEncoder {
    const owners = this.owners.map((owner) => ownerWithRules(rules, owner, this.rules))
    return new HeldEncoder(this.targets, owners, rules)
  }

  /** Returns the encoder of a child logger with another scope or resource. */
  withSource(source: InstrumentationSource): HeldEncoder {
    const owners = this.owners.map((owner) => ownerWithSource(source, owner))
    return new HeldEncoder(this.targets, owners, this.rules)
  }

  private entryFor(severity: number): SeverityEntry {
    const encodings = new Map<string, Encoding>()
    for (const { threshold, encoding } of this.targets) if (severity >= threshold) encodings.set(encoding.key, encoding)
    const keys = [...encodings.keys()]
    const textIndexes = this.targets.map(({ threshold, encoding }) =>
      severity >= threshold ? keys.indexOf(encoding.key) : -1,
    )
    const destination = new QueueDestination(this.targets, this.owners, textIndexes)
    return { encode: keys.length === 0 ? undefined : this.encodeFunction([...encodings.values()], keys), destination }
  }

  private encodeFunction(encodings: readonly Encoding[], keys: readonly string[]): Encode {
    const key = JSON.stringify(keys)
    const existing = this.encodeFunctions.get(key)
    if (existing !== undefined) return existing
    const created =
      encodings.length === 1 ? singleEncoding(encodings[0]!, this.rules) : severalEncodings(encodings, this.rules)
    this.encodeFunctions.set(key, created)
    return created
  }
}

function singleEncoding(encoding: Encoding, rules: Rules): Encode {
  let isTruncated = false
  const encoder = encoderFor(
    encoding,
    withTruncationListener(rules, () => (isTruncated = true)),
  )
  return (record, result) => {
    // User code that runs in `encode` may log, and these records are encoded here too.
    const isOuterTruncated = isTruncated
    isTruncated = false
    const encoded = encoder.encode(record)
    result.truncatedFlags = isTruncated ? allTruncated : undefined
    isTruncated = isOuterTruncated
    result.text = typeof encoded === 'string' ? encoded : encoded.text()
    result.lengths = undefined
  }
}

function severalEncodings(encodings: readonly Encoding[], rules: Rules): Encode {
  const encoder = new SharedEncoder(encodings, rules)
  return (record, result) => {
    const encoded = encoder.encode(record)
    const texts = encoded.texts.map((text) => {
      if (text === undefined) throw new RangeError('the stack is exhausted')
      return typeof text === 'string' ? text : text.text()
    })
    result.text = texts.join('')
    result.lengths = texts.map(({ length }) => length)
    result.truncatedFlags = encoded.truncatedFlags.includes(true) ? encoded.truncatedFlags : undefined
  }
}

const allTruncated: readonly boolean[] = [true]
