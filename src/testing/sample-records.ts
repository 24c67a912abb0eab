import { encoderFor } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain.ts'
import { BoundedQueue } from '../pipeline/bounded-queue.ts'
import { RecordOwner, type BatchBuffer } from '../pipeline/batch-buffer.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { Counters } from '../pipeline/counters.ts'
import { BoundState, originOf } from '../record/bound.ts'
import { nothingMore, type LogRecord } from '../record/record.ts'
import { severityOf } from '../record/severity.ts'
import { byteBuffers } from '../platform/node/byte-buffers.ts'
import { member, membersOf, ownCopy } from '../options/own-members.ts'

/** Two bytes and more for each character: who takes characters for bytes loses the end of a record. */
const wide = 'äß€𝄞'.repeat(40)

/**
 * Makes batches of numbered records in an exporter's own encoding, out of a queue as the pipeline's. Each says its number at its
 * beginning and at its end, in words that every encoding leaves as they are.
 */
export class SampleRecords {
  private readonly most: number
  private readonly queue: BoundedQueue
  private readonly text: (record: LogRecord) => ReturnType<ReturnType<typeof encoderFor>['encode']>
  private next: number

  /** `first`: the number of the first record. */
  constructor(exporter: Exporter, first: number) {
    const { encoding, batchBytes, delivery } = membersOf(exporter, ['encoding', 'batchBytes', 'delivery'])
    this.most = ownCopy(delivery)?.maxExportBatchSize ?? Infinity
    const encoder = encoderFor(encoding!, plainRules)
    this.queue = new BoundedQueue(
      byteBuffers(member(encoding!, 'binary') === true ? 'latin1' : 'utf8'),
      this.most,
      batchBytes,
    )
    this.text = (record) => encoder.encode(record)
    this.next = first
  }

  /** The number of the record that is made next. */
  get following(): number {
    return this.next
  }

  /** A batch of so many records, or of as many as the exporter takes at once; `done` gives its bytes back to be used again. */
  batch(wanted: number): { readonly buffer: BatchBuffer; readonly numbers: readonly number[]; done(): void } {
    const most = Math.min(wanted, this.most)
    const numbers: number[] = []
    while (numbers.length < most) {
      const text = this.text(sample(this.next))
      if (numbers.length > 0 && !this.queue.fits(text.length)) break
      this.queue.add(text, severityOf.info, owner)
      numbers.push(this.next++)
    }
    const buffer = this.queue.take(true)!
    // The queue is for one batch: another one may be made while this one is lent.
    this.queue.settle(false)
    return { buffer, numbers, done: () => buffer.release() }
  }
}

/** The numbers in what has arrived; those of records that have no end are negative. */
export function numbersIn(arrived: string | Uint8Array): number[] {
  const text = typeof arrived === 'string' ? arrived : Buffer.from(arrived).toString('latin1')
  const numbers: number[] = []
  for (const [, number, part] of text.matchAll(/sluice record (\d+) (begins|ends)/g)) {
    if (part === 'begins') numbers.push(-Number(number))
    else if (numbers.at(-1) === -Number(number)) numbers[numbers.length - 1] = Number(number)
  }
  return numbers
}

const bound = BoundState.of(
  originOf({
    scope: { ...nothingMore, name: 'checkExporter', version: undefined },
    resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
  }),
)

const owner = new RecordOwner(new Counters(), bound)

function sample(number: number): LogRecord {
  return {
    time: Date.UTC(2000, 0, 1) + number,
    exact: undefined,
    severity: severityOf.info,
    level: 'info',
    body: `sluice record ${number} begins`,
    literal: true,
    args: undefined,
    extra: undefined,
    attributes: { wide, number, end: `sluice record ${number} ends` },
    droppedAttributes: 0,
    exception: undefined,
    span: undefined,
    eventName: undefined,
    bound,
    enriched: undefined,
  }
}
