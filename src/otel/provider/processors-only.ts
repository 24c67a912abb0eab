import type { FamilyDelivery } from '../../lifecycle/family-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Account } from '../../pipeline/ledger.ts'

/** Counts the records of a provider without an exporter. Its processors have received each of them before. */
export function processorsOnlyHandler(account: Account): RecordHandler {
  const handler: RecordHandler = {
    handle({ severity }) {
      account.emitted++
      account.accepted++
      if (account.closed) account.drop('shutdown', severity)
      else account.written++
    },
    withRules: () => handler,
  }
  return handler
}

/** The delivery of a provider without an exporter: `stats()` lists its processors as one exporter. */
export function processorsOnlyDelivery(delivery: FamilyDelivery, account: Account): FamilyDelivery {
  return {
    ...delivery,
    shutdown(options) {
      account.closed = true
      return delivery.shutdown(options)
    },
    stats: () => statsOf([{ name: 'processors', account, processor: undefined }]),
  }
}
