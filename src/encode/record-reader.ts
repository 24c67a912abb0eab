import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { InsertedWalk } from './walk/inserted-walk.ts'
import { PairWalk } from './walk/pair-walk.ts'
import { RecordWalk } from './walk/record-walk.ts'
import type { Walk } from './walk/walk.ts'
import { WalkedHalf, type WalkedRecord } from './walk/walked-record.ts'

type AnyWalk = Walk<unknown, unknown, unknown>

/** A reader that walks each record once for several targets, so that the caller's objects are read once for any number of targets. */
export class RecordReader {
  private readonly record: RecordWalk<unknown, unknown, unknown>
  private readonly parts: readonly WalkedRecord<unknown>[]

  constructor(walks: readonly AnyWalk[], rules: Rules) {
    this.record = new RecordWalk(joined(walks, rules), rules)
    this.parts = partsOf(this.record, walks.length)
  }

  /** Creates a reader that also builds the values inserted into messages, for targets that cannot insert their own values. */
  static inserting(walks: readonly AnyWalk[], rules: Rules): RecordReader {
    return new RecordReader([...walks, new InsertedWalk(rules)], rules)
  }

  /** Returns the walked record of each target. */
  read(record: LogRecord): readonly WalkedRecord<unknown>[] {
    this.record.read(record)
    return this.parts
  }
}

function joined([first, ...others]: readonly AnyWalk[], rules: Rules): AnyWalk {
  if (others.length === 0) return first!
  return new PairWalk(first!, joined(others, rules), rules.limits, rules.redaction.patterns)
}

function partsOf(whole: WalkedRecord<unknown>, count: number): readonly WalkedRecord<unknown>[] {
  if (count === 1) return [whole]
  return [new WalkedHalf(whole, 'left'), ...partsOf(new WalkedHalf(whole, 'right'), count - 1)]
}
