import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Counters } from '../../pipeline/counters.ts'

/** Creates the handler of a provider without exporters. It only counts records; the provider's processors receive them before. */
export function createProcessorsOnlyHandler(counters: Counters): RecordHandler {
  const handler: RecordHandler = {
    handle({ severity }) {
      counters.emitted++
      counters.accepted++
      if (counters.isClosed) counters.drop('shutdown', severity)
      else counters.written++
    },
    withRules: () => handler,
    withSource: () => handler,
  }
  return handler
}

/** Returns the delivery functions of a provider without exporters. `stats()` lists its processors as one exporter. */
export function createProcessorsOnlyDelivery(delivery: LoggerDelivery, counters: Counters): LoggerDelivery {
  return {
    ...delivery,
    shutdown(options) {
      counters.isClosed = true
      return delivery.shutdown(options)
    },
    stats: () => statsOf([{ name: 'processors', counters, processor: undefined }]),
  }
}
