import { encoderFor, type Encoding } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { Producer } from '../pipeline/producer.ts'
import { DropCounts, type Drops } from '../pipeline/drop-counts.ts'
import { BoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { severityOf } from '../record/severity.ts'
import { readClock } from '../record/time.ts'

/**
 * Creates the producer of one exporter. It reports drops in the stream: a record of level warn whose event name is
 * `sluice.records_dropped` and whose attributes count the dropped records by reason and by level. One report is queued or in
 * flight at a time. If a report is dropped, the next one repeats its counts, but only another record of the logger can trigger
 * that next one: a dropped report alone never causes a report, so reports stop at a destination that rejects everything.
 */
export function dropReporter(owner: RecordOwner, encoding: Encoding, bound: BoundState, clock: () => number): Producer {
  const drops = new DropCounts(owner.counters)
  // Use the logger's scope and resource without its attributes, which do not describe the drops.
  const reportBound = BoundState.ofSource(bound)
  const { counters } = owner
  let encoder = encoderFor(encoding, plainRules)
  let { attributes: encodedAttributes } = bound.resource
  let isReportPending = false
  /** How many records had been accepted when a report was dropped. There is no other report until this number has grown. */
  let acceptedAtDrop = -1
  const reportOwner = new RecordOwner(counters, owner.source, undefined, (reached) => {
    isReportPending = false
    if (reached) return
    drops.rollback()
    acceptedAtDrop = counters.accepted
  })

  function reportRecord({ total, byReason, byLevel }: Drops): LogRecord {
    const record = newRecord(readClock(clock), severityOf.warn, 'warn', reportBound)
    record.body = total === 1 ? '1 record was dropped' : `${total} records were dropped`
    record.literal = true
    record.attributes = { dropped: total, by_reason: byReason, by_level: byLevel }
    record.eventName = 'sluice.records_dropped'
    return record
  }

  return {
    owner,
    get unreported() {
      return drops.unreported
    },
    dropReport() {
      if (isReportPending || counters.accepted === acceptedAtDrop || !drops.isPending) return undefined
      // An encoder caches the rendered resource, which can have more attributes by now.
      if (encodedAttributes !== reportBound.resource.attributes) encoder = encoderFor(encoding, plainRules)
      encodedAttributes = reportBound.resource.attributes
      return {
        text: encoder.encode(reportRecord(drops.loss)),
        severity: severityOf.warn,
        owner: reportOwner,
        onQueued() {
          isReportPending = true
          drops.markReported()
        },
      }
    },
  }
}
