import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Producer } from '../pipeline/producer.ts'

/** How to detach a logger from a pipeline. It does not reference the logger. */
interface Registration {
  readonly processor: BatchProcessor
  readonly producer: Producer
  /** Removes the producer from the pipeline. */
  readonly detach: (processor: BatchProcessor, producer: Producer) => void
}

const registrations = new FinalizationRegistry<Registration>(detachLater)
const cleanups = new FinalizationRegistry<() => void>((cleanup) => {
  try {
    cleanup()
  } catch {
    // An error in a callback of the garbage collector would end the process.
  }
})

/**
 * Removes a logger's producer from its pipeline when the logger is garbage collected without `shutdown()`. After `shutdown()`
 * nothing happens.
 *
 * @param owner - referenced by the logger and by its queued records; nothing else that outlives the logger may reference it
 */
export function detachWhenCollected(owner: object, registration: Registration): void {
  registrations.register(owner, registration)
}

/** Runs a function when `owner` is garbage collected. Neither the function nor its closure may reference `owner`. */
export function whenCollected(owner: object, cleanup: () => void): void {
  cleanups.register(owner, cleanup)
}

/** Detaches a producer once none of its records is queued. */
function detachLater({ processor, producer, detach }: Registration): void {
  if (!processor.producers.has(producer)) return
  processor.whenEmpty(producer, () => detach(processor, producer))
}
