import { describe, expect, test } from '@jest/globals'
import type { ReportedStats } from '../faults/harness/oracle.ts'
import type { ArrivalCounts } from './arrivals.ts'
import { mismatchesOf, allowedTornLines, type RunStats } from './run-stats.ts'

const stats: ReportedStats = {
  emitted: 10,
  accepted: 8,
  filtered: 2,
  written: 5,
  queued: 0,
  unknown: 1,
  maybeDuplicated: 1,
  dropped: { total: 2, byReason: { queue_full: 2 } },
}
const counts: ArrivalCounts = {
  sequences: [
    [0, 3],
    [8, 8],
  ],
  dropReports: 0,
  duplicates: 0,
  repeated: [],
  late: 0,
}
const runStats: RunStats = { isFinal: true, next: 10, stats: stats, settled: { next: 10, stats } }

function mismatchesWith(
  end: Partial<RunStats>,
  arrivals: Partial<ArrivalCounts>,
  sink: 'file' | 'collector' = 'file',
): string {
  return mismatchesOf(sink, { ...runStats, ...end }, { ...counts, ...arrivals }).join('\n')
}

describe('delivery accounting of a process', () => {
  test('the accounting is accepted when every record is where its counters place it', () => {
    expect(mismatchesWith({}, {})).toBe('')
    expect(mismatchesWith({}, { sequences: [[0, 5]] })).toBe('')
  })

  test.each<[string, Partial<RunStats>, Partial<ArrivalCounts>, string]>([
    ['a written record is missing', {}, { sequences: [[0, 3]] }, '1 of 5 written records are missing'],
    ['no record arrived', {}, { sequences: [] }, '5 of 5'],
    ['more records arrived than were written', {}, { sequences: [[0, 6]] }, '1 more records arrived'],
    [
      'a record arrived that was not logged',
      {},
      {
        sequences: [
          [0, 3],
          [10, 10],
        ],
      },
      'record 10 arrived',
    ],
    [
      'a record is queued',
      { stats: { ...stats, accepted: 9, emitted: 11, queued: 1 } },
      {},
      '1 records are still queued',
    ],
    ['a sum is inconsistent', { stats: { ...stats, accepted: 9 } }, {}, 'emitted 10 is not'],
    ['more records were logged than emitted', { next: 11 }, {}, '10 were emitted'],
    [
      'more records are duplicated than were counted',
      {},
      { duplicates: 2, repeated: [[1, 2]] },
      '2 records are duplicated, 1 were counted: 1 to 2',
    ],
    ['a record is out of order', {}, { late: 1 }, '1 records are out of order'],
  ])('the accounting is rejected when %s', (_what, end, arrivals, sentence) => {
    expect(mismatchesWith(end, arrivals)).toContain(sentence)
  })

  test('the accounting of a killed process is checked only for records that were settled before', () => {
    const killed = { isFinal: false, stats: { ...stats, emitted: 12, accepted: 10, queued: 2 }, next: 12 }
    expect(
      mismatchesWith(killed, {
        sequences: [
          [0, 4],
          [10, 40],
        ],
      }),
    ).toBe('')
    expect(
      mismatchesWith(killed, {
        sequences: [
          [0, 3],
          [10, 40],
        ],
      }),
    ).toContain('6 of the first 10 records are missing, 5 were counted')
  })

  test('the accounting of requests without a response allows for one that is read late', () => {
    expect(mismatchesWith({}, { late: 1 }, 'collector')).toBe('')
    expect(mismatchesWith({}, { late: 2 }, 'collector')).toContain('out of order')
  })

  test('the accounting allows one torn line of a killed process, and of another process as many as were abandoned', () => {
    expect(allowedTornLines({ ...runStats, stats: { ...stats, unknown: 0 } })).toBe(0)
    expect(allowedTornLines({ ...runStats, isFinal: false, stats: { ...stats, unknown: 0 } })).toBe(1)
    const dropped = { total: 3, byReason: { io_error: 2, exit_deadline: 1, queue_full: 9 } }
    expect(allowedTornLines({ ...runStats, stats: { ...stats, unknown: 0, dropped } })).toBe(3)
  })
})
