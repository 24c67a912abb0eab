import { expect, test } from '@jest/globals'
import type { EncodedBatch, ExportResult } from '../../src/pipeline/exporter.ts'
import { StallingExporter } from '../support/pipeline/exporters.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'

/** Results are available before the event loop delivers them, as with an exporter in another process. */
class PollableExporter extends StallingExporter {
  readonly supportsPolling: boolean = true
  polls = 0
  isResultAvailable = true

  exportSync(batch: EncodedBatch): ExportResult {
    this.polls++
    if (!this.isResultAvailable) return { status: 'retryable', accepted: 0 }
    this.pending = undefined
    return this.take(batch)
  }
}

test('consecutive batches are exported in one long turn when their results are available synchronously', () => {
  const line = pipeline(new PollableExporter())
  line.logAll(texts(10_000, 230))
  // All except the batch in flight and the batch that is being filled.
  expect(line.ledger().written).toBeGreaterThan(10_000 - 2 * Math.ceil(69_632 / 230))
  expect(line.exporter.overlapped).toBe(false)
})

test('an exporter without an available result is polled once for each batch that is full or due', () => {
  const line = pipeline(new PollableExporter())
  line.exporter.isResultAvailable = false
  line.logAll(texts(10_000, 230))
  const full = Math.floor((10_000 * 230) / (69_632 - (69_632 % 230)))
  expect(line.exporter.polls).toBe(full - 1)
  line.host.turn()
  expect(line.exporter.polls).toBe(full)
  expect(line.ledger()).toMatchObject({ written: 0, queued: 10_000 })
})

test('an exporter that does not support polling is never polled', () => {
  const line = pipeline(Object.assign(new PollableExporter(), { supportsPolling: false }))
  line.logAll(texts(10_000, 230))
  line.host.turn()
  expect(line.exporter.polls).toBe(0)
})
