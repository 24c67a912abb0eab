import { encoderFor } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain-data.ts'
import { RecordQueue } from '../pipeline/record-queue.ts'
import { RecordOwner, type BatchBuffer } from '../pipeline/batch-buffer.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { Counters } from '../pipeline/counters.ts'
import { BoundState, emptyBoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { emptyScopeDetails } from '../record/instrumentation-source.ts'
import { standardSeverities } from '../record/severity.ts'
import { byteBuffers } from '../platform/node/byte-buffers.ts'
import { member, membersOf, withoutPrototype } from '../options/own-members.ts'

/** Text with two or more bytes per character: an exporter that confuses characters with bytes loses the end of a record. */
const multibyteText = 'äß€𝄞'.repeat(40)

/**
 * Creates batches of numbered records in the encoding of an exporter, with the same queue as a pipeline. Each record contains its
 * number at its start and its end, in text that no encoding changes.
 */
export class SampleRecords {
  private readonly maxBatchSize: number
  private readonly queue: RecordQueue
  private readonly encode: (record: LogRecord) => ReturnType<ReturnType<typeof encoderFor>['encode']>
  private next: number

  constructor(exporter: Exporter, firstNumber: number) {
    const { encoding, batchBytes, delivery } = membersOf(exporter, ['encoding', 'batchBytes', 'delivery'])
    this.maxBatchSize = withoutPrototype(delivery)?.maxExportBatchSize ?? Infinity
    const encoder = encoderFor(encoding!, plainRules)
    this.queue = new RecordQueue(
      byteBuffers(member(encoding!, 'binary') === true ? 'latin1' : 'utf8'),
      this.maxBatchSize,
      batchBytes,
    )
    this.encode = (record) => encoder.encode(record)
    this.next = firstNumber
  }

  /** The number of the next record. */
  get nextNumber(): number {
    return this.next
  }

  /**
   * Returns a batch of the requested number of records, or of as many as the exporter accepts at once, and their numbers. `release`
   * releases its bytes for reuse.
   */
  createBatch(count: number): { readonly buffer: BatchBuffer; readonly numbers: readonly number[]; release(): void } {
    const maxCount = Math.min(count, this.maxBatchSize)
    const numbers: number[] = []
    while (numbers.length < maxCount) {
      const text = this.encode(sampleRecord(this.next))
      if (numbers.length > 0 && !this.queue.fitsOpenBatch(text.length)) break
      this.queue.add(text, standardSeverities.info, sampleOwner)
      numbers.push(this.next++)
    }
    const buffer = this.queue.selectHead()!
    // The queue has one head at a time: remove it, so that another batch can be created while this one is lent.
    this.queue.removeHead()
    return { buffer, numbers, release: () => buffer.release() }
  }
}

/** Returns the numbers of the records in the received data. The number of a record without an end is negative. */
export function numbersIn(received: string | Uint8Array): number[] {
  const text = typeof received === 'string' ? received : Buffer.from(received).toString('latin1')
  const numbers: number[] = []
  for (const [, number, part] of text.matchAll(/sluice record (\d+) (begins|ends)/g)) {
    if (part === 'begins') numbers.push(-Number(number))
    else if (numbers.at(-1) === -Number(number)) numbers[numbers.length - 1] = Number(number)
  }
  return numbers
}

const sampleBound = BoundState.ofSource({
  scope: { ...emptyScopeDetails, name: 'checkExporter', version: undefined },
  resource: emptyBoundState.resource,
})

const sampleOwner = new RecordOwner(new Counters(), sampleBound)

function sampleRecord(number: number): LogRecord {
  const record = newRecord(Date.UTC(2000, 0, 1) + number, standardSeverities.info, 'info', sampleBound)
  record.body = `sluice record ${number} begins`
  record.keepsBraces = true
  record.attributes = { wide: multibyteText, number, end: `sluice record ${number} ends` }
  return record
}
