import type { EncodedRecord } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { dropReporter } from '../../../src/handler/drop-reporter.ts'
import { BatchProcessor } from '../../../src/pipeline/batch-processor.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Producer } from '../../../src/pipeline/producer.ts'
import { RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters, type DeliveryStats } from '../../../src/pipeline/counters.ts'
import { BoundState, originOf } from '../../../src/record/bound.ts'
import { ManualHost } from './host.ts'
import { source } from './batch.ts'
import { emptyScopeDetails } from '../../../src/record/record.ts'

const bound = BoundState.of(
  originOf({
    scope: { ...emptyScopeDetails, name: undefined, version: undefined },
    resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
  }),
)

let time = 0

/** A lane that tells its losses as a logger's does. No two notices are told at the same time. */
export function laneOf(): Producer {
  return dropReporter(new RecordOwner(new Counters(), source), jsonLines(), bound, () => ++time)
}

/** A pipeline with one lane, and a host whose time stands still. */
export function pipeline<E extends Exporter>(exporter: E, host: ManualHost = new ManualHost()) {
  const processor = new BatchProcessor(exporter, host)
  const lane = laneOf()
  processor.producers.add(lane)
  const { counters } = lane.owner
  return {
    host,
    exporter,
    processor,
    lane,
    account: counters,
    log: (text: string, severity = 9) => emit(processor, lane, text, severity),
    logAll: (texts: readonly string[], severity = 9) => texts.forEach((text) => emit(processor, lane, text, severity)),
    ledger: (): DeliveryStats => counters.stats(processor.queuedBytes),
  }
}

/** Puts finished text into a pipeline, as a handler does. */
export function emit(processor: BatchProcessor, lane: Producer, text: string, severity: number): void {
  lane.owner.counters.emitted++
  processor.push(text as EncodedRecord, severity, lane.owner)
}

/** Texts of one length that say their number. */
export function texts(count: number, length = 10, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `${from + index}`.padEnd(length - 1, '.') + '\n')
}

/** What does not add up in an account; an empty array when all does. */
export function ledgerFaults(account: Counters): string[] {
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
