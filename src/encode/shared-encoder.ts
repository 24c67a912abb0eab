import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { encoderFor, type EncodedRecord, type Encoding, type Format, type RecordTarget } from './encoding.ts'
import { RecordReader } from './record-reader.ts'
import { showsValues } from './walk/record-walk.ts'
import type { WalkedRecord } from './walk/walked-record.ts'

/** A record in several encodings. */
export interface SharedRecord {
  /** The text in each encoding; undefined if the record could not be encoded. */
  readonly texts: readonly (EncodedRecord | undefined)[]
  /** For each encoding, whether part of the record was cut. */
  readonly cut: readonly boolean[]
}

/** Returns the same rules with an additional listener for records that are cut. */
export function reportingRules(rules: Rules, listener: () => void): Rules {
  const { truncated } = rules.limits
  const both = () => {
    listener()
    truncated?.()
  }
  return { ...rules, limits: { ...rules.limits, truncated: both } }
}

/** Writes a walked record, or encodes the record in a format that does not walk it. */
type Write = (record: LogRecord, walked: readonly WalkedRecord<unknown>[]) => EncodedRecord

/** An encoder for several formats. A record is walked once for all of them, so that user code runs once. */
export class SharedEncoder {
  private readonly encodings: readonly Encoding[]
  private readonly rules: Rules
  private readonly targets: RecordTarget<unknown>[] = []
  private readonly walks: readonly RecordTarget<unknown>['walk'][]
  private readonly canInsert: boolean
  private readonly writes: readonly Write[]
  private readonly reader: RecordReader | undefined
  /** The reader for records whose messages insert values, if no target can insert its own. */
  private inserting: RecordReader | undefined
  private readonly rulesOfWalk: Rules
  private busy = false
  // Whether the current record was cut for at least one encoding, for all of them (in the shared walk), and for each.
  private isCutAnywhere = false
  private isCut = false
  private readonly cut: boolean[]
  private readonly notCut: readonly boolean[]
  private readonly noTexts: readonly (EncodedRecord | undefined)[]

  constructor(encodings: readonly Encoding[], rules: Rules) {
    this.encodings = encodings
    this.rules = rules
    this.cut = encodings.map(() => false)
    this.notCut = [...this.cut]
    this.noTexts = encodings.map(() => undefined)
    this.writes = encodings.map((encoding, index) => {
      const own = reportingRules(rules, () => (this.isCutAnywhere = this.cut[index] = true))
      const target = (encoding as Format).target?.(own)
      if (target === undefined) {
        const encoder = encoderFor(encoding, own)
        return (record) => encoder.encode(record)
      }
      const position = this.targets.push(target) - 1
      return (record, walked) => target.write(record, walked[position]!)
    })
    this.rulesOfWalk = reportingRules(rules, () => (this.isCutAnywhere = this.isCut = true))
    this.walks = this.targets.map(({ walk }) => walk)
    this.reader = this.walks.length === 0 ? undefined : new RecordReader(this.walks, this.rulesOfWalk)
    this.canInsert = this.walks.some(({ canInsert }) => canInsert)
  }

  /** Encodes a record in all formats. Throws only when the stack overflows; then the record has no text. */
  encode(record: LogRecord): SharedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new SharedEncoder(this.encodings, this.rules).encode(record)
    this.busy = true
    // A stack overflow in the last record may have left its state.
    if (this.isCutAnywhere) this.takeCut()
    try {
      const walked = this.readerFor(record)?.read(record) ?? []
      // A copy has exactly the needed capacity; an array that grows allocates more.
      const texts = this.noTexts.slice()
      for (let i = 0; i < texts.length; i++) texts[i] = textOf(this.writes[i]!, record, walked)
      return { texts, cut: this.takeCut() }
    } finally {
      this.busy = false
      for (const target of this.targets) target.release()
    }
  }

  private readerFor(record: LogRecord): RecordReader | undefined {
    if (this.canInsert || this.reader === undefined || !showsValues(record)) return this.reader
    return (this.inserting ??= RecordReader.inserting(this.walks, this.rulesOfWalk))
  }

  /** Returns for each encoding whether the current record was cut, and resets that state. */
  private takeCut(): readonly boolean[] {
    if (!this.isCutAnywhere) return this.notCut
    const cut = this.cut.map((isCut) => isCut || this.isCut)
    this.cut.fill(false)
    this.isCut = false
    this.isCutAnywhere = false
    return cut
  }
}

function textOf(write: Write, record: LogRecord, walked: readonly WalkedRecord<unknown>[]): EncodedRecord | undefined {
  try {
    return write(record, walked)
  } catch {
    return undefined // stack overflow
  }
}
