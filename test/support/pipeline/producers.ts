import type { EncodedRecord } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { createProducer as createLoggerProducer } from '../../../src/handler/drop-reporter.ts'
import { BatchProcessor } from '../../../src/pipeline/batch-processor.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Producer } from '../../../src/pipeline/producer.ts'
import { RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters, type DeliveryStats } from '../../../src/pipeline/counters.ts'
import { emptyBoundState } from '../../../src/record/bound.ts'
import { ManualHost } from './manual-host.ts'
import { source } from './batch.ts'

let time = 0

/** Creates a producer that reports drops as a logger does. No two reports have the same time. */
export function createProducer(): Producer {
  return createLoggerProducer(new RecordOwner(new Counters(), source), jsonLines(), emptyBoundState, () => ++time)
}

/** Creates a pipeline with one producer, on a host with a manual clock. */
export function createPipeline<E extends Exporter>(exporter: E, host: ManualHost = new ManualHost()) {
  const processor = new BatchProcessor(exporter, host)
  const producer = createProducer()
  processor.producers.add(producer)
  const { counters } = producer.owner
  return {
    host,
    exporter,
    processor,
    producer,
    counters,
    log: (text: string, severity = 9) => emit(processor, producer, text, severity),
    logAll: (texts: readonly string[], severity = 9) =>
      texts.forEach((text) => emit(processor, producer, text, severity)),
    stats: (): DeliveryStats => counters.stats(processor.queuedBytes),
  }
}

/** Adds encoded text to a pipeline, as a handler does. */
export function emit(processor: BatchProcessor, producer: Producer, text: string, severity: number): void {
  producer.owner.counters.emitted++
  processor.push(text as EncodedRecord, severity, producer.owner)
}

/** Returns numbered texts of one length. */
export function texts(count: number, length = 10, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `${from + index}`.padEnd(length - 1, '.') + '\n')
}

/** Returns the names of the counters that are inconsistent. */
export function inconsistentCounts(account: Counters): string[] {
  const { written, queued, unknown, dropped } = account.stats(0)
  const faults: string[] = []
  if (account.emitted !== account.accepted + account.filtered) faults.push('emitted')
  if (account.accepted !== written + queued + unknown + dropped.total) faults.push('accepted')
  if (sumOf(dropped.byReason) !== dropped.total) faults.push('byReason')
  if (sumOf(dropped.byLevel) !== dropped.total) faults.push('byLevel')
  if ([written, queued, unknown, dropped.total].some((count) => count < 0)) faults.push('negative')
  return faults
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
