import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { encoderFor, type EncodedRecord, type Encoding, type Format, type RecordTarget } from './encoding.ts'
import { MultiTargetWalk } from './multi-target-walk.ts'
import { insertsValues } from './walk/record-walk.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/** A record in several encodings. */
export interface SharedRecord {
  /** The text in each encoding; undefined if the record could not be encoded. */
  readonly texts: readonly (EncodedRecord | undefined)[]
  /** For each encoding, whether part of the record was cut. */
  readonly truncatedFlags: readonly boolean[]
}

/** Returns the same rules with an additional listener that is called when a record is cut. */
export function withTruncationListener(rules: Rules, listener: () => void): Rules {
  const { onTruncated } = rules.limits
  const notifyBoth = () => {
    listener()
    onTruncated?.()
  }
  return { ...rules, limits: { ...rules.limits, onTruncated: notifyBoth } }
}

/** Writes a record in one encoding. A format that does not walk records ignores `walked` and encodes the record itself. */
type WriteRecord = (record: LogRecord, walked: readonly WalkedRecord<unknown>[]) => EncodedRecord

/** An encoder for several formats. A record is walked once for all of them, so that user code runs once. */
export class SharedEncoder {
  private readonly encodings: readonly Encoding[]
  private readonly rules: Rules
  private readonly targets: RecordTarget<unknown>[] = []
  private readonly walks: readonly RecordTarget<unknown>['walk'][]
  /** Whether at least one target can insert its own values into a message. */
  private readonly canAnyInsertIntoMessages: boolean
  private readonly writers: readonly WriteRecord[]
  private readonly recordWalk: MultiTargetWalk | undefined
  /** The walk for records whose messages insert values, if no target can insert its own values. */
  private insertingWalk: MultiTargetWalk | undefined
  private readonly walkRules: Rules
  private isBusy = false
  // Whether the current record was cut for at least one encoding, for all of them (in the shared walk), and for each of them.
  private isTruncatedForAny = false
  private isTruncatedForAll = false
  private readonly truncatedByEncoding: boolean[]
  private readonly noneTruncated: readonly boolean[]
  private readonly noTexts: readonly (EncodedRecord | undefined)[]

  constructor(encodings: readonly Encoding[], rules: Rules) {
    this.encodings = encodings
    this.rules = rules
    this.truncatedByEncoding = encodings.map(() => false)
    this.noneTruncated = [...this.truncatedByEncoding]
    this.noTexts = encodings.map(() => undefined)
    this.writers = encodings.map((encoding, index) => {
      const encodingRules = withTruncationListener(
        rules,
        () => (this.isTruncatedForAny = this.truncatedByEncoding[index] = true),
      )
      const target = (encoding as Format).target?.(encodingRules)
      if (target === undefined) {
        const encoder = encoderFor(encoding, encodingRules)
        return (record) => encoder.encode(record)
      }
      const position = this.targets.push(target) - 1
      return (record, walked) => target.write(record, walked[position]!)
    })
    this.walkRules = withTruncationListener(rules, () => (this.isTruncatedForAny = this.isTruncatedForAll = true))
    this.walks = this.targets.map(({ walk }) => walk)
    this.recordWalk = this.walks.length === 0 ? undefined : new MultiTargetWalk(this.walks, this.walkRules)
    this.canAnyInsertIntoMessages = this.walks.some(({ canInsertIntoMessages }) => canInsertIntoMessages)
  }

  /** Encodes a record in all formats. Throws only when the stack overflows; then the record has no text. */
  encode(record: LogRecord): SharedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.isBusy) return new SharedEncoder(this.encodings, this.rules).encode(record)
    this.isBusy = true
    // A stack overflow in the last record may have left its state.
    if (this.isTruncatedForAny) this.takeTruncatedFlags()
    try {
      const walked = this.walkFor(record)?.read(record) ?? []
      // A copy has exactly the needed capacity; an array that grows allocates more.
      const texts = this.noTexts.slice()
      for (let i = 0; i < texts.length; i++) texts[i] = textOf(this.writers[i]!, record, walked)
      return { texts, truncatedFlags: this.takeTruncatedFlags() }
    } finally {
      this.isBusy = false
      for (const target of this.targets) target.release()
    }
  }

  private walkFor(record: LogRecord): MultiTargetWalk | undefined {
    if (this.canAnyInsertIntoMessages || this.recordWalk === undefined || !insertsValues(record)) return this.recordWalk
    return (this.insertingWalk ??= MultiTargetWalk.withInsertedValues(this.walks, this.walkRules))
  }

  /** Returns for each encoding whether the current record was cut, and resets that state. */
  private takeTruncatedFlags(): readonly boolean[] {
    if (!this.isTruncatedForAny) return this.noneTruncated
    const truncatedFlags = this.truncatedByEncoding.map((isTruncated) => isTruncated || this.isTruncatedForAll)
    this.truncatedByEncoding.fill(false)
    this.isTruncatedForAll = false
    this.isTruncatedForAny = false
    return truncatedFlags
  }
}

function textOf(
  write: WriteRecord,
  record: LogRecord,
  walked: readonly WalkedRecord<unknown>[],
): EncodedRecord | undefined {
  try {
    return write(record, walked)
  } catch {
    return undefined // stack overflow
  }
}
