import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { RecordTarget } from './encoding.ts'
import { InsertedWalk } from './inserted-walk.ts'
import { PairWalk } from './pair-walk.ts'
import { RecordWalk, showsValues } from './record-walk.ts'
import type { Walk } from './walk.ts'
import { WalkedHalf, type WalkedRecord } from './walked-record.ts'

type AnyWalk = Walk<unknown, unknown, unknown>

/** A walk over records, and the record as each target has it. */
interface Reading {
  readonly record: RecordWalk<unknown, unknown, unknown>
  readonly parts: readonly WalkedRecord<unknown>[]
}

/** Walks records once for one target or several of them: each of the caller's objects is read once, whatever their number. */
export class RecordReader {
  private readonly rules: Rules
  private readonly walks: readonly AnyWalk[]
  private readonly usual: Reading
  private readonly canInsert: boolean
  /** The same with a walk for values that messages insert, where no target has one. */
  private inserting: Reading | undefined

  constructor(targets: readonly RecordTarget<unknown>[], rules: Rules) {
    this.rules = rules
    this.walks = targets.map(({ walk }) => walk)
    this.usual = readingOf(this.walks, rules)
    this.canInsert = this.walks.some(({ canInsert }) => canInsert)
  }

  /** Returns the record as each target has it. */
  read(record: LogRecord): readonly WalkedRecord<unknown>[] {
    const reading = this.canInsert || !showsValues(record) ? this.usual : this.insertingReading()
    reading.record.read(record)
    return reading.parts
  }

  private insertingReading(): Reading {
    return (this.inserting ??= readingOf([...this.walks, new InsertedWalk(this.rules)], this.rules))
  }
}

function readingOf(walks: readonly AnyWalk[], rules: Rules): Reading {
  const record = new RecordWalk(joined(walks, rules), rules)
  return { record, parts: partsOf(record, walks.length) }
}

function joined([first, ...others]: readonly AnyWalk[], rules: Rules): AnyWalk {
  return others.length === 0
    ? first!
    : new PairWalk(first!, joined(others, rules), rules.limits, rules.redaction.patterns)
}

function partsOf(whole: WalkedRecord<unknown>, count: number): readonly WalkedRecord<unknown>[] {
  return count === 1 ? [whole] : [new WalkedHalf(whole, 'left'), ...partsOf(new WalkedHalf(whole, 'right'), count - 1)]
}
