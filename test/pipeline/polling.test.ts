import { expect, test } from '@jest/globals'
import type { EncodedBatch, ExportResult } from '../../src/pipeline/exporter.ts'
import { StallingExporter } from '../support/pipeline/exporters.ts'
import { pipeline, texts } from '../support/pipeline/producers.ts'

/** Its answers are there before the event loop brings them, as those of another process are. */
class AnsweringExporter extends StallingExporter {
  readonly supportsPolling: boolean = true
  asked = 0
  isThere = true

  exportSync(batch: EncodedBatch): ExportResult {
    this.asked++
    if (!this.isThere) return { status: 'retryable', accepted: 0 }
    this.pending = undefined
    return this.take(batch)
  }
}

test('in a long turn batch after batch is handed over where the answer is there already', () => {
  const line = pipeline(new AnsweringExporter())
  line.logAll(texts(10_000, 230))
  // All but the batch that is out and the one that fills.
  expect(line.ledger().written).toBeGreaterThan(10_000 - 2 * Math.ceil(69_632 / 230))
  expect(line.exporter.overlapped).toBe(false)
})

test('one that has no answer yet is asked once for each batch that is full or due', () => {
  const line = pipeline(new AnsweringExporter())
  line.exporter.isThere = false
  line.logAll(texts(10_000, 230))
  const full = Math.floor((10_000 * 230) / (69_632 - (69_632 % 230)))
  expect(line.exporter.asked).toBe(full - 1)
  line.host.turn()
  expect(line.exporter.asked).toBe(full)
  expect(line.ledger()).toMatchObject({ written: 0, queued: 10_000 })
})

test('one that does not say so is never asked', () => {
  const line = pipeline(Object.assign(new AnsweringExporter(), { supportsPolling: false }))
  line.logAll(texts(10_000, 230))
  line.host.turn()
  expect(line.exporter.asked).toBe(0)
})
