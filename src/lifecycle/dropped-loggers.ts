import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Producer } from '../pipeline/producer.ts'

/** What a pipeline and the exit guard keep for a logger. */
interface Place {
  readonly processor: BatchProcessor
  readonly producer: Producer
  /** Takes the lane off its pipeline. */
  readonly leave: (processor: BatchProcessor, producer: Producer) => void
}

const places = new FinalizationRegistry<Place>(release)
const cleanups = new FinalizationRegistry<() => void>((cleanup) => {
  try {
    cleanup()
  } catch {
    // An error in a callback of the garbage collector would end the process.
  }
})

/**
 * Gives up a logger's place in its pipeline when the logger is garbage collected without `shutdown()`. `owner` is what whoever
 * logs holds, and each queued record; nothing that outlives the logger may hold it. A later `shutdown` is harmless.
 */
export function leaveWhenDropped(owner: object, place: Place): void {
  places.register(owner, place)
}

/** Runs a function when `owner` is garbage collected. Neither the function nor what it uses may hold `owner`. */
export function whenDropped(owner: object, cleanup: () => void): void {
  cleanups.register(owner, cleanup)
}

function release({ processor, producer, leave }: Place): void {
  if (!processor.lanes.has(producer)) return
  processor.whenEmpty(producer, () => leave(processor, producer))
}
