import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Counters } from '../../pipeline/counters.ts'

/** Counts the records of a provider without an exporter. Its processors have received each of them before. */
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

/** The delivery of a provider without an exporter: `stats()` lists its processors as one exporter. */
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
