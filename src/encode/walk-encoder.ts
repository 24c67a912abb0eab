import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder, RecordTarget } from './encoding.ts'
import { MultiTargetWalk } from './multi-target-walk.ts'
import { RecordWalk, insertsValues } from './walk/record-walk.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/**
 * Creates a format that walks records.
 *
 * @param createTarget - creates the target that writes the walked records
 */
export function walkFormat<T, E extends Encoding>(
  encoding: E,
  createTarget: (rules: Rules) => RecordTarget<T>,
): E & Format {
  return { ...encoding, target: createTarget, encoder: (rules) => new WalkEncoder(rules, createTarget) }
}

/** An encoder for one format. */
class WalkEncoder<T> implements RecordEncoder {
  private readonly rules: Rules
  private readonly createTarget: (rules: Rules) => RecordTarget<T>
  private readonly target: RecordTarget<T>
  private readonly recordWalk: RecordWalk<T, T, T>
  /** The walk for records whose messages insert values, if the target cannot insert its own values. */
  private insertingWalk: MultiTargetWalk | undefined
  private isBusy = false

  constructor(rules: Rules, createTarget: (rules: Rules) => RecordTarget<T>) {
    this.rules = rules
    this.createTarget = createTarget
    this.target = createTarget(rules)
    this.recordWalk = new RecordWalk(this.target.walk, rules)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.isBusy) return new WalkEncoder(this.rules, this.createTarget).encode(record)
    this.isBusy = true
    const { target } = this
    const { canInsertIntoMessages } = target.walk
    try {
      if (!canInsertIntoMessages && insertsValues(record)) return target.write(record, this.readInserting(record))
      this.recordWalk.read(record, !canInsertIntoMessages)
      return target.write(record, this.recordWalk)
    } finally {
      this.isBusy = false
      target.release()
    }
  }

  private readInserting(record: LogRecord): WalkedRecord<T> {
    this.insertingWalk ??= MultiTargetWalk.withInsertedValues([this.target.walk], this.rules)
    return this.insertingWalk.read(record)[0] as WalkedRecord<T>
  }
}
