import { describe, expect, test } from '@jest/globals'
import { BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import type { ExportResult } from '../../src/pipeline/exporter.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { countOutcome, resultOf } from '../../src/pipeline/outcome.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

const buffers = byteBuffers()

function outcomeOf(result: ExportResult): unknown {
  const account = new Counters()
  const origin = new RecordOwner(account, source)
  const chunk = new BatchBuffer(1, buffers)
  for (let seq = 0; seq < 10; seq++) {
    chunk.add(`${seq}\n`, 9, origin)
    account.accepted++
    account.queued++
  }
  chunk.close()
  const missing = countOutcome(chunk, result, 'retry_exhausted')
  const { written, queued, unknown, dropped } = account.stats(0)
  expect(written + queued + unknown + dropped.total).toBe(10)
  expect(missing).toBe(10 - written)
  const reasons = Object.entries(dropped.byReason).filter(([, count]) => count > 0)
  return { written, unknown, ...Object.fromEntries(reasons), maybeDuplicated: account.maybeDuplicated }
}

const rejected = (records: number) => [{ records, reason: 'rejected' as const }]
const nothing = { written: 0, unknown: 0, maybeDuplicated: 0 }

describe('a batch of ten records', () => {
  test.each<[string, ExportResult, object]>([
    ['is written whole', { status: 'accepted' }, { ...nothing, written: 10 }],
    [
      'lacks what was refused (OTL11)',
      { status: 'accepted', refused: rejected(3) },
      { ...nothing, written: 7, rejected: 3 },
    ],
    [
      'may be refused for several reasons',
      { status: 'accepted', refused: [...rejected(2), { records: 1, reason: 'too_large' }] },
      { ...nothing, written: 7, rejected: 2, too_large: 1 },
    ],
    [
      'is refused in a part that was accepted while the rest is given up',
      { status: 'retryable', accepted: 6, refused: rejected(2) },
      { ...nothing, written: 4, rejected: 2, retry_exhausted: 4 },
    ],
    [
      'has an unknown rest',
      { status: 'unknown', accepted: 6, refused: rejected(2) },
      { ...nothing, written: 4, rejected: 2, unknown: 4 },
    ],
    [
      'may have arrived twice',
      { status: 'accepted', maybeDuplicated: 4 },
      { ...nothing, written: 10, maybeDuplicated: 4 },
    ],
    [
      'never lacks more than it has, nor was it sent twice more often',
      { status: 'accepted', refused: rejected(99), maybeDuplicated: 99 },
      { ...nothing, rejected: 10, maybeDuplicated: 10 },
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
])('%j is no answer', (answer) => {
  expect(resultOf(answer)).toBeUndefined()
})
