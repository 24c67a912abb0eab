import { describe, expect, test } from '@jest/globals'
import { ledgerProblems } from '../../demo/ledger.ts'

const account = { accepted: 10, filtered: 0, written: 10, queued: 0, unknown: 0, dropped: { total: 0 } }

describe('delivery accounting of the demo', () => {
  test('the statistics are accepted when every call has a line in the file', () => {
    expect(ledgerProblems({ emitted: 10, exporters: [account] }, 10, 10)).toEqual([])
  })

  test.each([
    ['a call was not counted', { emitted: 10, exporters: [account] }, 11, 10],
    ['a line is not in the file', { emitted: 10, exporters: [account] }, 10, 9],
    ['an accepted record has no fate', { emitted: 10, exporters: [{ ...account, written: 9 }] }, 10, 9],
    ['an emitted record was neither accepted nor filtered', { emitted: 11, exporters: [account] }, 11, 10],
    ['something is still queued', { emitted: 10, exporters: [{ ...account, written: 9, queued: 1 }] }, 10, 9],
    ['they are missing', undefined, 10, 10],
  ])('the statistics are rejected when %s', (_, stats, calls, lines) => {
    expect(ledgerProblems(stats, calls, lines)).toHaveLength(1)
  })
})
