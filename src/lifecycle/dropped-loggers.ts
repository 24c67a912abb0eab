import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Producer } from '../pipeline/producer.ts'

/** The objects that a pipeline and the exit guard keep for a logger. */
interface Registration {
  readonly processor: BatchProcessor
  readonly producer: Producer
  /** Removes the producer from its pipeline. */
  readonly leave: (processor: BatchProcessor, producer: Producer) => void
}

const registrations = new FinalizationRegistry<Registration>(release)
const cleanups = new FinalizationRegistry<() => void>((cleanup) => {
  try {
    cleanup()
  } catch {
    // An error in a callback of the garbage collector would end the process.
  }
})

/**
 * Removes a logger's producer from its pipeline when the logger is garbage collected without `shutdown()`. A later `shutdown` is
 * harmless.
 *
 * @param owner - referenced by the logger and by each queued record; must not be referenced by anything that outlives the logger
 */
export function detachWhenCollected(owner: object, registration: Registration): void {
  registrations.register(owner, registration)
}

/** Runs a function when `owner` is garbage collected. Neither the function nor its closure may reference `owner`. */
export function whenCollected(owner: object, cleanup: () => void): void {
  cleanups.register(owner, cleanup)
}

function release({ processor, producer, leave }: Registration): void {
  if (!processor.producers.has(producer)) return
  processor.whenEmpty(producer, () => leave(processor, producer))
}
