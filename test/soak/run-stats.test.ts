import { describe, expect, test } from '@jest/globals'
import type { ToldLedger } from '../faults/harness/oracle.ts'
import type { ArrivalCounts } from './arrivals.ts'
import { disagreementsOf, tornBy, type LifeEnd } from './closing.ts'

const whole: ToldLedger = {
  emitted: 10,
  accepted: 8,
  filtered: 2,
  written: 5,
  queued: 0,
  unknown: 1,
  maybeDuplicated: 1,
  dropped: { total: 2, byReason: { queue_full: 2 } },
}
const arrived: ArrivalCounts = {
  seqs: [
    [0, 3],
    [8, 8],
  ],
  notices: 0,
  duplicates: 0,
  again: [],
  late: 0,
}
const told: LifeEnd = { told: true, next: 10, ledger: whole, settled: { next: 10, ledger: whole } }

function wrongWith(end: Partial<LifeEnd>, there: Partial<ArrivalCounts>, sink: 'file' | 'collector' = 'file'): string {
  return disagreementsOf(sink, { ...told, ...end }, { ...arrived, ...there }).join('\n')
}

describe('delivery accounting of a process', () => {
  test('the accounting is accepted when every record is where its counters place it', () => {
    expect(wrongWith({}, {})).toBe('')
    expect(wrongWith({}, { seqs: [[0, 5]] })).toBe('')
  })

  test.each<[string, Partial<LifeEnd>, Partial<ArrivalCounts>, string]>([
    ['a written record is missing', {}, { seqs: [[0, 3]] }, '1 of 5 written records are missing'],
    ['nothing is there', {}, { seqs: [] }, '5 of 5'],
    ['there is more than was written', {}, { seqs: [[0, 6]] }, '1 more records are there'],
    [
      'a record is there that was not logged',
      {},
      {
        seqs: [
          [0, 3],
          [10, 10],
        ],
      },
      'record 10 is there',
    ],
    [
      'something is queued',
      { ledger: { ...whole, accepted: 9, emitted: 11, queued: 1 } },
      {},
      '1 records are still queued',
    ],
    ['a sum does not add up', { ledger: { ...whole, accepted: 9 } }, {}, 'emitted 10 is not'],
    ['more was logged than emitted', { next: 11 }, {}, '10 were emitted'],
    [
      'more is doubled than was counted',
      {},
      { duplicates: 2, again: [[1, 2]] },
      '2 records are doubled, 1 were counted: 1 to 2',
    ],
    ['something is out of order', {}, { late: 1 }, '1 records are out of order'],
  ])('the accounting is rejected when %s', (_what, end, there, sentence) => {
    expect(wrongWith(end, there)).toContain(sentence)
  })

  test('the accounting of a killed process is checked only for records that were settled before', () => {
    const killed = { told: false, ledger: { ...whole, emitted: 12, accepted: 10, queued: 2 }, next: 12 }
    expect(
      wrongWith(killed, {
        seqs: [
          [0, 4],
          [10, 40],
        ],
      }),
    ).toBe('')
    expect(
      wrongWith(killed, {
        seqs: [
          [0, 3],
          [10, 40],
        ],
      }),
    ).toContain('6 of the first 10 records are missing, 5 were counted')
  })

  test('the accounting of requests without a response allows for one that is read late', () => {
    expect(wrongWith({}, { late: 1 }, 'collector')).toBe('')
    expect(wrongWith({}, { late: 2 }, 'collector')).toContain('out of order')
  })

  test('the accounting allows one torn line of a killed process, and of another process as many as were abandoned', () => {
    expect(tornBy({ ...told, ledger: { ...whole, unknown: 0 } })).toBe(0)
    expect(tornBy({ ...told, told: false, ledger: { ...whole, unknown: 0 } })).toBe(1)
    const dropped = { total: 3, byReason: { io_error: 2, exit_deadline: 1, queue_full: 9 } }
    expect(tornBy({ ...told, ledger: { ...whole, unknown: 0, dropped } })).toBe(3)
  })
})
