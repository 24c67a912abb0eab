import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder, RecordTarget } from './encoding.ts'
import { RecordReader } from './record-reader.ts'

/** Creates a format whose records are walked. */
export function walkFormat<T, E extends Encoding>(encoding: E, target: (rules: Rules) => RecordTarget<T>): E & Format {
  return { ...encoding, target, encoder: (rules) => new WalkEncoder(rules, target) }
}

/** Encodes records in one format. */
class WalkEncoder implements RecordEncoder {
  private readonly rules: Rules
  private readonly makeTarget: (rules: Rules) => RecordTarget<unknown>
  private readonly target: RecordTarget<unknown>
  private readonly reader: RecordReader
  private busy = false

  constructor(rules: Rules, makeTarget: (rules: Rules) => RecordTarget<unknown>) {
    this.rules = rules
    this.makeTarget = makeTarget
    this.target = makeTarget(rules)
    this.reader = new RecordReader([this.target], rules)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new WalkEncoder(this.rules, this.makeTarget).encode(record)
    this.busy = true
    try {
      return this.target.write(record, this.reader.read(record)[0]!)
    } finally {
      this.busy = false
      this.target.release?.()
    }
  }
}
