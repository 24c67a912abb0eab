import { describe, expect, test } from '@jest/globals'
import { deliveryErrors } from '../../demo/delivery.ts'

const exporterStats = { accepted: 10, filtered: 0, written: 10, queued: 0, unknown: 0, dropped: { total: 0 } }

describe('delivery accounting of the demo', () => {
  test('the statistics are accepted when every call has a line in the file', () => {
    expect(deliveryErrors({ emitted: 10, exporters: [exporterStats] }, 10, 10)).toEqual([])
  })

  test.each([
    ['a call was not counted', { emitted: 10, exporters: [exporterStats] }, 11, 10],
    ['a line is not in the file', { emitted: 10, exporters: [exporterStats] }, 10, 9],
    ['an accepted record has no fate', { emitted: 10, exporters: [{ ...exporterStats, written: 9 }] }, 10, 9],
    ['an emitted record was neither accepted nor filtered', { emitted: 11, exporters: [exporterStats] }, 11, 10],
    ['something is still queued', { emitted: 10, exporters: [{ ...exporterStats, written: 9, queued: 1 }] }, 10, 9],
    ['they are missing', undefined, 10, 10],
  ])('the statistics are rejected when %s', (_, stats, calls, lines) => {
    expect(deliveryErrors(stats, calls, lines)).toHaveLength(1)
  })
})
