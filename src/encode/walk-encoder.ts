import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder, RecordTarget } from './encoding.ts'
import { RecordReader } from './record-reader.ts'
import { RecordWalk, showsValues } from './walk/record-walk.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/** Creates a format that walks records. */
export function walkFormat<T, E extends Encoding>(encoding: E, target: (rules: Rules) => RecordTarget<T>): E & Format {
  return { ...encoding, target, encoder: (rules) => new WalkEncoder(rules, target) }
}

/** An encoder for one format. */
class WalkEncoder<T> implements RecordEncoder {
  private readonly rules: Rules
  private readonly makeTarget: (rules: Rules) => RecordTarget<T>
  private readonly target: RecordTarget<T>
  private readonly record: RecordWalk<T, T, T>
  private inserting: RecordReader | undefined
  private busy = false

  constructor(rules: Rules, makeTarget: (rules: Rules) => RecordTarget<T>) {
    this.rules = rules
    this.makeTarget = makeTarget
    this.target = makeTarget(rules)
    this.record = new RecordWalk(this.target.walk, rules)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new WalkEncoder(this.rules, this.makeTarget).encode(record)
    this.busy = true
    const { target } = this
    const { canInsert } = target.walk
    try {
      if (!canInsert && showsValues(record)) return target.write(record, this.readInserting(record))
      this.record.read(record, !canInsert)
      return target.write(record, this.record)
    } finally {
      this.busy = false
      target.release()
    }
  }

  private readInserting(record: LogRecord): WalkedRecord<T> {
    this.inserting ??= RecordReader.inserting([this.target.walk], this.rules)
    return this.inserting.read(record)[0] as WalkedRecord<T>
  }
}
