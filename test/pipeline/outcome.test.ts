import { describe, expect, test } from '@jest/globals'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { countOutcome, parseResult } from '../../src/pipeline/outcome.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = byteBuffers()

function outcomeOf(result: ExportResult): unknown {
  const counters = new Counters()
  const owner = new RecordOwner(counters, source)
  const buffer = new BatchBuffer(1, buffers)
  for (let seq = 0; seq < 10; seq++) {
    buffer.add(`${seq}\n`, 9, owner)
    counters.accepted++
    counters.queued++
  }
  buffer.close()
  const missing = countOutcome(buffer, result, 'retry_exhausted')
  const { written, queued, unknown, dropped } = counters.stats(0)
  expect(written + queued + unknown + dropped.total).toBe(10)
  expect(missing).toBe(10 - written)
  const reasons = Object.entries(dropped.byReason).filter(([, count]) => count > 0)
  return { written, unknown, ...Object.fromEntries(reasons), maybeDuplicated: counters.maybeDuplicated }
}

const rejected = (records: number) => [{ records, reason: 'rejected' as const }]
const zero = { written: 0, unknown: 0, maybeDuplicated: 0 }

describe('outcome of a batch of ten records', () => {
  test.each<[string, ExportResult, object]>([
    ['all records are written when the batch is accepted', { status: 'accepted' }, { ...zero, written: 10 }],
    // Requirements: OTL11
    [
      'refused records count as rejected and the others as written',
      { status: 'accepted', refused: rejected(3) },
      { ...zero, written: 7, rejected: 3 },
    ],
    [
      'refused records are counted by reason',
      { status: 'accepted', refused: [...rejected(2), { records: 1, reason: 'too_large' }] },
      { ...zero, written: 7, rejected: 2, too_large: 1 },
    ],
    [
      'records refused in the accepted part are rejected, and the rest is retry_exhausted',
      { status: 'retryable', accepted: 6, refused: rejected(2) },
      { ...zero, written: 4, rejected: 2, retry_exhausted: 4 },
    ],
    [
      'records after the accepted part are unknown when the status is unknown',
      { status: 'unknown', accepted: 6, refused: rejected(2) },
      { ...zero, written: 4, rejected: 2, unknown: 4 },
    ],
    [
      'maybeDuplicated is counted with the written records',
      { status: 'accepted', maybeDuplicated: 4 },
      { ...zero, written: 10, maybeDuplicated: 4 },
    ],
    [
      'refused and maybeDuplicated are limited to the size of the batch',
      { status: 'accepted', refused: rejected(99), maybeDuplicated: 99 },
      { ...zero, rejected: 10, maybeDuplicated: 10 },
    ],
  ])('%s', (_, result, expected) => {
    expect(outcomeOf(result)).toEqual(expected)
  })
})

test.each([
  [{ status: 'accepted', refused: 3 }],
  [{ status: 'accepted', refused: [{ records: 1, reason: 'moody' }] }],
  [{ status: 'accepted', refused: [{ records: -1, reason: 'rejected' }] }],
  [{ status: 'accepted', refused: [null] }],
])('%j is not a valid export result', (result) => {
  expect(parseResult(result)).toBeUndefined()
})
