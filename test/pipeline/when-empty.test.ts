import { expect, test } from '@jest/globals'
import { TakingExporter } from '../support/pipeline/exporters.ts'
import { laneOf, pipeline } from '../support/pipeline/producers.ts'

test('a producer whose drop report cannot be encoded is still released when its records are exported', () => {
  const { processor } = pipeline(new TakingExporter())
  const producer = {
    ...laneOf(),
    dropReport() {
      throw new RangeError('Maximum call stack size exceeded')
    },
  }
  processor.producers.add(producer)
  let isReleased = false
  processor.whenEmpty(producer, () => (isReleased = true))
  expect(isReleased).toBe(true)
})
