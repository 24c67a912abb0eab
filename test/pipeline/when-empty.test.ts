import { expect, test } from '@jest/globals'
import { TakingExporter } from '../support/pipeline/exporters.ts'
import { laneOf, pipeline } from '../support/pipeline/producers.ts'

test('a lane whose drop report cannot be encoded is released all the same', () => {
  const { processor } = pipeline(new TakingExporter())
  const lane = {
    ...laneOf(),
    lossNotice() {
      throw new RangeError('Maximum call stack size exceeded')
    },
  }
  processor.lanes.add(lane)
  let isReleased = false
  processor.whenEmpty(lane, () => (isReleased = true))
  expect(isReleased).toBe(true)
})
