import { expect, test } from '@jest/globals'
import type { EncodedBatch, ExportResult } from '../../src/pipeline/exporter.ts'
import { StallingExporter } from '../support/pipeline/exporters.ts'
import { createPipeline, texts } from '../support/pipeline/producers.ts'

/** Results are available before the event loop delivers them, as with an exporter in another process. */
class PollableExporter extends StallingExporter {
  readonly supportsPolling: boolean = true
  polls = 0
  isResultAvailable = true

  exportSync(batch: EncodedBatch): ExportResult {
    this.polls++
    if (!this.isResultAvailable) return { status: 'retryable', accepted: 0 }
    this.pending = undefined
    return this.accept(batch)
  }
}

test('consecutive batches are exported in one long turn when their results are available synchronously', () => {
  const pipeline = createPipeline(new PollableExporter())
  pipeline.logAll(texts(10_000, 230))
  // All except the batch in flight and the batch that is being filled.
  expect(pipeline.stats().written).toBeGreaterThan(10_000 - 2 * Math.ceil(69_632 / 230))
  expect(pipeline.exporter.hasOverlapped).toBe(false)
})

test('an exporter without an available result is polled once for each batch that is full or due', () => {
  const pipeline = createPipeline(new PollableExporter())
  pipeline.exporter.isResultAvailable = false
  pipeline.logAll(texts(10_000, 230))
  const full = Math.floor((10_000 * 230) / (69_632 - (69_632 % 230)))
  expect(pipeline.exporter.polls).toBe(full - 1)
  pipeline.host.endTurn()
  expect(pipeline.exporter.polls).toBe(full)
  expect(pipeline.stats()).toMatchObject({ written: 0, queued: 10_000 })
})

test('an exporter that does not support polling is never polled', () => {
  const pipeline = createPipeline(Object.assign(new PollableExporter(), { supportsPolling: false }))
  pipeline.logAll(texts(10_000, 230))
  pipeline.host.endTurn()
  expect(pipeline.exporter.polls).toBe(0)
})
