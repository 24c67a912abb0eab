import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { InsertedWalk } from './walk/inserted-walk.ts'
import { PairWalk } from './walk/pair-walk.ts'
import { RecordWalk } from './walk/record-walk.ts'
import type { Walk } from './walk/walk.ts'
import { WalkedHalf, type WalkedRecord } from './walk/walked-record.ts'

type AnyWalk = Walk<unknown, unknown, unknown>

/** Walks each record once for several targets, so that the caller's objects are read once for any number of targets. */
export class MultiTargetWalk {
  private readonly recordWalk: RecordWalk<unknown, unknown, unknown>
  private readonly walkedRecords: readonly WalkedRecord<unknown>[]

  constructor(walks: readonly AnyWalk[], rules: Rules) {
    this.recordWalk = new RecordWalk(pairOfWalks(walks, rules), rules)
    this.walkedRecords = splitByTarget(this.recordWalk, walks.length)
  }

  /**
   * Creates a walk that also builds the values that messages insert, for targets that cannot insert their own values. `read` then returns
   * an additional walked record, the last one, which is only used for that.
   */
  static withInsertedValues(walks: readonly AnyWalk[], rules: Rules): MultiTargetWalk {
    return new MultiTargetWalk([...walks, new InsertedWalk(rules)], rules)
  }

  /** Walks a record. Returns the walked record of each target, in the order of the walks. */
  read(record: LogRecord): readonly WalkedRecord<unknown>[] {
    this.recordWalk.read(record)
    return this.walkedRecords
  }
}

/** Returns a walk that builds values for all targets: nested `PairWalk`s, or the only walk. */
function pairOfWalks([first, ...others]: readonly AnyWalk[], rules: Rules): AnyWalk {
  if (others.length === 0) return first!
  return new PairWalk(first!, pairOfWalks(others, rules), rules.limits, rules.redaction.patterns)
}

/** Returns the walked record of each of `count` targets, given the result of nested `PairWalk`s. */
function splitByTarget(whole: WalkedRecord<unknown>, count: number): readonly WalkedRecord<unknown>[] {
  if (count === 1) return [whole]
  return [
    new WalkedHalf(whole, 'forFirstTarget'),
    ...splitByTarget(new WalkedHalf(whole, 'forSecondTarget'), count - 1),
  ]
}
