import { encoderFor } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain.ts'
import { BoundedQueue } from '../pipeline/bounded-queue.ts'
import { RecordOwner, type BatchBuffer } from '../pipeline/batch-buffer.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { Counters } from '../pipeline/counters.ts'
import { BoundState, unbound } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { emptyScopeDetails } from '../record/instrumentation-source.ts'
import { severityOf } from '../record/severity.ts'
import { byteBuffers } from '../platform/node/byte-buffers.ts'
import { member, membersOf, ownCopy } from '../options/own-members.ts'

/** Text with two or more bytes per character: an exporter that confuses characters with bytes loses the end of a record. */
const wide = 'äß€𝄞'.repeat(40)

/**
 * Creates batches of numbered records in the exporter's own encoding, from the same kind of queue as in the pipeline. Each record
 * contains its number at its start and its end, in text that no encoding changes.
 */
export class SampleRecords {
  private readonly maxBatchSize: number
  private readonly queue: BoundedQueue
  private readonly text: (record: LogRecord) => ReturnType<ReturnType<typeof encoderFor>['encode']>
  private next: number

  /** Creates samples for an exporter. `first` is the number of the first record. */
  constructor(exporter: Exporter, first: number) {
    const { encoding, batchBytes, delivery } = membersOf(exporter, ['encoding', 'batchBytes', 'delivery'])
    this.maxBatchSize = ownCopy(delivery)?.maxExportBatchSize ?? Infinity
    const encoder = encoderFor(encoding!, plainRules)
    this.queue = new BoundedQueue(
      byteBuffers(member(encoding!, 'binary') === true ? 'latin1' : 'utf8'),
      this.maxBatchSize,
      batchBytes,
    )
    this.text = (record) => encoder.encode(record)
    this.next = first
  }

  /** The number of the next record. */
  get following(): number {
    return this.next
  }

  /**
   * Returns a batch of the requested number of records, or of as many as the exporter accepts at once. `done` releases its bytes
   * for reuse.
   */
  batch(wanted: number): { readonly buffer: BatchBuffer; readonly numbers: readonly number[]; done(): void } {
    const maxBatchSize = Math.min(wanted, this.maxBatchSize)
    const numbers: number[] = []
    while (numbers.length < maxBatchSize) {
      const text = this.text(sample(this.next))
      if (numbers.length > 0 && !this.queue.fits(text.length)) break
      this.queue.add(text, severityOf.info, owner)
      numbers.push(this.next++)
    }
    const buffer = this.queue.take(true)!
    // The queue holds one batch: release it, so that another one can be created while this one is lent.
    this.queue.settle(false)
    return { buffer, numbers, done: () => buffer.release() }
  }
}

/** Returns the numbers of the records in the received data. The number of a record without an end is negative. */
export function numbersIn(arrived: string | Uint8Array): number[] {
  const text = typeof arrived === 'string' ? arrived : Buffer.from(arrived).toString('latin1')
  const numbers: number[] = []
  for (const [, number, part] of text.matchAll(/sluice record (\d+) (begins|ends)/g)) {
    if (part === 'begins') numbers.push(-Number(number))
    else if (numbers.at(-1) === -Number(number)) numbers[numbers.length - 1] = Number(number)
  }
  return numbers
}

const bound = BoundState.ofSource({
  scope: { ...emptyScopeDetails, name: 'checkExporter', version: undefined },
  resource: unbound.resource,
})

const owner = new RecordOwner(new Counters(), bound)

function sample(number: number): LogRecord {
  const record = newRecord(Date.UTC(2000, 0, 1) + number, severityOf.info, 'info', bound)
  record.body = `sluice record ${number} begins`
  record.literal = true
  record.attributes = { wide, number, end: `sluice record ${number} ends` }
  return record
}
