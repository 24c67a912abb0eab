import * as fc from 'fast-check'
import { describe, expect, test } from '@jest/globals'
import type { EncodedBatch } from '../../src/pipeline/exporter.ts'
import { TakingExporter } from '../support/pipeline/exporters.ts'
import { promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'

const isReport = ({ text }: { readonly text: string }) => text.includes('sluice.records_dropped')

/** The result of every export, or of every export with a drop report. Includes at least one entry for each drop reason. */
const answers: Readonly<Record<string, (batch: EncodedBatch) => unknown>> = {
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

class RejectingExporter extends TakingExporter {
  answer: (batch: EncodedBatch) => unknown = () => ({ status: 'accepted' })

  override export(batch: EncodedBatch): any {
    this.batches.push(batch.count)
    return this.answer(batch)
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
  test.each(Object.keys(answers))(
    'drop reports behind a destination that answers with %s are at most one per logged record, and none are added while idle',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), fc.boolean(), async (steps, isNarrow) => {
          const delivery = { maxQueueBytes: 4_000, ...(isNarrow ? { maxQueueSize: 4 } : {}) }
          const line = pipeline(new RejectingExporter({ delivery }))
          line.exporter.answer = answers[name]!
          let logged = 0
          for (const each of steps) {
            if (each.kind === 'log') {
              line.logAll(texts(each.records))
              logged += each.records
            } else if (each.kind === 'log an oversized record') {
              line.log('x'.repeat(4_001))
              logged++
            } else if (each.kind === 'turn') line.host.turn()
            else await line.processor.flush(1)
            await promisesSettle()
          }
          await idle(line)
          const { emitted } = line.account
          const exports = line.exporter.batches.length
          for (let round = 0; round < 10; round++) await idle(line)
          expect(line.exporter.batches).toHaveLength(exports)
          expect(line.account.emitted).toBe(emitted)
          expect(emitted).toBeLessThanOrEqual(2 * logged)
          expect(exports).toBeLessThanOrEqual(2 * logged)
          expect(ledgerFaults(line.account)).toEqual([])
        }),
        { numRuns: 60 },
      )
    },
  )

  test('a drop report that is dropped itself is repeated by the next report that a record of the logger triggers', async () => {
    const line = pipeline(new RejectingExporter())
    line.exporter.answer = answers['too_large, only drop reports']!
    line.log('y'.repeat(17 * 1024 * 1024))
    line.log('one\n')
    await idle(line)
    line.exporter.answer = answers['accepted for all records']!
    await idle(line)
    expect(line.account.droppedTotal).toBe(2)
    const reports: unknown[] = []
    line.exporter.answer = (batch) => {
      reports.push(
        ...batch
          .records()
          .filter(isReport)
          .map(({ text }) => JSON.parse(text).attributes.by_reason),
      )
      return { status: 'accepted' }
    }
    line.log('two\n')
    await idle(line)
    expect(reports).toEqual([{ too_large: 2 }])
  })
})

async function idle(line: { host: { turn(): void }; processor: { flush(millis: number): Promise<unknown> } }) {
  for (let turn = 0; turn < 3; turn++) {
    line.host.turn()
    await promisesSettle()
  }
  await line.processor.flush(0)
}
