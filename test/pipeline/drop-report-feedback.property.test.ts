import * as fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import type { EncodedBatch } from '../../src/pipeline/exporter.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../support/pipeline/producers.ts'

const isReport = ({ text }: { readonly text: string }) => text.includes('sluice.records_dropped')

/** The result of every export, or of every export with a drop report. Includes at least one entry for each drop reason. */
const resultsByName: Readonly<Record<string, (batch: EncodedBatch) => unknown>> = {
  io_error: () => ({ status: 'rejected', accepted: 0, reason: 'io_error' }),
  retry_exhausted: () => ({ status: 'rejected', accepted: 0, reason: 'retry_exhausted' }),
  'retry_exhausted, from a retryable result': () => ({ status: 'retryable', accepted: 0 }),
  rejected: () => ({ status: 'rejected', accepted: 0, reason: 'rejected' }),
  exit_deadline: () => ({ status: 'rejected', accepted: 0, reason: 'exit_deadline' }),
  'too_large, each record of an accepted batch': ({ count }) => ({
    status: 'accepted',
    refused: [{ records: count, reason: 'too_large' }],
  }),
  'rejected, each record of an accepted batch': ({ count }) => ({
    status: 'accepted',
    refused: [{ records: count, reason: 'rejected' }],
  }),
  'too_large, only drop reports': (batch) => ({
    status: 'accepted',
    refused: batch.records().some(isReport) ? [{ records: batch.count, reason: 'too_large' }] : [],
  }),
  'an exporter that throws': () => {
    throw new Error('no')
  },
  'an exporter that rejects': () => Promise.reject(new Error('no')),
  'an invalid result': () => undefined,
  'accepted for all records': () => ({ status: 'accepted' }),
}

class RejectingExporter extends AcceptingExporter {
  respond: (batch: EncodedBatch) => unknown = () => ({ status: 'accepted' })

  override export(batch: EncodedBatch): any {
    this.batches.push(batch.count)
    return this.respond(batch)
  }
}

type Step =
  | { readonly kind: 'log'; readonly records: number }
  | { readonly kind: 'log an oversized record' }
  | { readonly kind: 'turn' | 'flush' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('log' as const), records: fc.integer({ min: 1, max: 8 }) }),
  fc.constant({ kind: 'log an oversized record' } as const),
  fc.constantFrom({ kind: 'turn' } as const, { kind: 'flush' } as const),
)

describe('drop reports', () => {
  test.each(Object.keys(resultsByName))(
    'at most one drop report is logged per record, and none while idle, when every export results in: %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), fc.boolean(), async (steps, isNarrow) => {
          const delivery = { maxQueueBytes: 4_000, ...(isNarrow ? { maxQueueSize: 4 } : {}) }
          const pipeline = createPipeline(new RejectingExporter({ delivery }))
          pipeline.exporter.respond = resultsByName[name]!
          let logged = 0
          for (const each of steps) {
            if (each.kind === 'log') {
              pipeline.logAll(texts(each.records))
              logged += each.records
            } else if (each.kind === 'log an oversized record') {
              pipeline.log('x'.repeat(4_001))
              logged++
            } else if (each.kind === 'turn') pipeline.host.endTurn()
            else await pipeline.processor.flush(1)
            await settlePromises()
          }
          await idle(pipeline)
          const { emitted } = pipeline.counters
          const exports = pipeline.exporter.batches.length
          for (let round = 0; round < 10; round++) await idle(pipeline)
          expect(pipeline.exporter.batches).toHaveLength(exports)
          expect(pipeline.counters.emitted).toBe(emitted)
          expect(emitted).toBeLessThanOrEqual(2 * logged)
          expect(exports).toBeLessThanOrEqual(2 * logged)
          expect(inconsistentCounts(pipeline.counters)).toEqual([])
        }),
        { numRuns: 60 },
      )
    },
  )

  test('a drop report that is dropped itself is repeated by the next report that a record of the logger triggers', async () => {
    const pipeline = createPipeline(new RejectingExporter())
    pipeline.exporter.respond = resultsByName['too_large, only drop reports']!
    pipeline.log('y'.repeat(17 * 1024 * 1024))
    pipeline.log('one\n')
    await idle(pipeline)
    pipeline.exporter.respond = resultsByName['accepted for all records']!
    await idle(pipeline)
    expect(pipeline.counters.droppedTotal).toBe(2)
    const reports: unknown[] = []
    pipeline.exporter.respond = (batch) => {
      reports.push(
        ...batch
          .records()
          .filter(isReport)
          .map(({ text }) => JSON.parse(text).attributes.by_reason),
      )
      return { status: 'accepted' }
    }
    pipeline.log('two\n')
    await idle(pipeline)
    expect(reports).toEqual([{ too_large: 2 }])
  })
})

async function idle(pipeline: { host: { endTurn(): void }; processor: { flush(millis: number): Promise<unknown> } }) {
  for (let turn = 0; turn < 3; turn++) {
    pipeline.host.endTurn()
    await settlePromises()
  }
  await pipeline.processor.flush(0)
}
