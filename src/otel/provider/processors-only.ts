import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Counters } from '../../pipeline/counters.ts'

/** Creates a handler that counts the records of a provider without exporters, after its processors have received them. */
export function processorsOnlyHandler(counters: Counters): RecordHandler {
  const handler: RecordHandler = {
    handle({ severity }) {
      counters.emitted++
      counters.accepted++
      if (counters.closed) counters.drop('shutdown', severity)
      else counters.written++
    },
    withRules: () => handler,
  }
  return handler
}

/** Returns the delivery of a provider without exporters. `stats()` lists its processors as one exporter. */
export function processorsOnlyDelivery(delivery: LoggerDelivery, counters: Counters): LoggerDelivery {
  return {
    ...delivery,
    shutdown(options) {
      counters.closed = true
      return delivery.shutdown(options)
    },
    stats: () => statsOf([{ name: 'processors', counters, processor: undefined }]),
  }
}
