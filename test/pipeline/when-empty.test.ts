import { expect, test } from '@jest/globals'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { createProducer, createPipeline } from '../support/pipeline/producers.ts'

test('a producer whose drop report cannot be encoded is still released when its records are exported', () => {
  const { processor } = createPipeline(new AcceptingExporter())
  const producer = {
    ...createProducer(),
    dropReport() {
      throw new RangeError('Maximum call stack size exceeded')
    },
  }
  processor.producers.add(producer)
  let isReleased = false
  processor.whenEmpty(producer, () => (isReleased = true))
  expect(isReleased).toBe(true)
})
