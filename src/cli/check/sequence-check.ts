import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { numberOf, recordValue, type RecordValue } from '../report/record-value.ts'
import { producerOf } from './producer.ts'
import { SequenceRanges, type IntegerRange } from './sequence-ranges.ts'

/** The maximum number of ranges of all producers, which need about 50 MB. */
const maxRanges = 1_000_000
const maxProducers = 10_000
const maxExamples = 3

/** A number that is repeated or out of order. */
export interface SequenceExample {
  readonly value: number
  readonly origin: RecordOrigin
}

/** The numbers of the records of one process. */
export class ProducerSequence {
  readonly producer: string
  readonly ranges: SequenceRanges = new SequenceRanges()
  records = 0
  duplicates = 0
  /** Numbers that come after a larger one. */
  outOfOrder = 0
  readonly duplicateExamples: SequenceExample[] = []
  readonly outOfOrderExamples: SequenceExample[] = []
  private largest = -Infinity

  constructor(producer: string) {
    this.producer = producer
  }

  /** The integers that are missing between the smallest and the largest one. */
  get missing(): number {
    let missing = 0
    for (const { first, last } of this.ranges.gaps()) missing += last - first + 1
    return missing
  }

  /** Whether no number is missing, repeated or out of order. */
  get isComplete(): boolean {
    return this.ranges.size === 1 && this.duplicates === 0 && this.outOfOrder === 0
  }

  /** Returns the first gaps. */
  gaps(maxGaps: number): IntegerRange[] {
    const gaps: IntegerRange[] = []
    for (const gap of this.ranges.gaps()) {
      if (gaps.length === maxGaps) break
      gaps.push(gap)
    }
    return gaps
  }

  add(value: number, origin: RecordOrigin): void {
    this.records++
    if (!this.ranges.add(value)) {
      this.duplicates++
      addExample(this.duplicateExamples, value, origin)
    } else if (value < this.largest) {
      this.outOfOrder++
      addExample(this.outOfOrderExamples, value, origin)
    }
    this.largest = Math.max(this.largest, value)
  }
}

/** Checks whether numbered records are complete. The files are read as one sequence, because a log is rotated. */
export class SequenceCheck {
  readonly key: string
  /** Records without a number. */
  withoutNumber = 0
  /** Numbered records that are not checked, because there are too many ranges or producers. */
  unchecked = 0
  private readonly numberGetter: RecordValue
  private readonly byProducer = new Map<string, ProducerSequence>()
  private rangeCount = 0

  constructor(key: string) {
    this.key = key
    this.numberGetter = recordValue(key)
  }

  get producers(): readonly ProducerSequence[] {
    return [...this.byProducer.values()]
  }

  /** Whether at least one record has a number, and no number is missing, repeated or out of order. */
  get isComplete(): boolean {
    if (this.byProducer.size === 0 || this.unchecked > 0) return false
    return this.producers.every((producer) => producer.isComplete)
  }

  add(record: ReadRecord): void {
    const value = numberOf(this.numberGetter(record))
    if (value === undefined || !Number.isSafeInteger(value)) {
      this.withoutNumber++
      return
    }
    const sequence = this.sequenceOf(producerOf(record))
    if (sequence === undefined || this.rangeCount >= maxRanges) {
      this.unchecked++
      return
    }
    this.rangeCount -= sequence.ranges.size
    sequence.add(value, record.origin)
    this.rangeCount += sequence.ranges.size
  }

  private sequenceOf(producer: string): ProducerSequence | undefined {
    const known = this.byProducer.get(producer)
    if (known !== undefined || this.byProducer.size >= maxProducers) return known
    const sequence = new ProducerSequence(producer)
    this.byProducer.set(producer, sequence)
    return sequence
  }
}

function addExample(examples: SequenceExample[], value: number, origin: RecordOrigin): void {
  if (examples.length < maxExamples) examples.push({ value, origin })
}
