import { counted, wasOrWere } from '../options/counted.ts'
import { encoderFor, type Encoding } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain-data.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { Producer } from '../pipeline/producer.ts'
import { DropCounts, type Drops } from '../pipeline/drop-counts.ts'
import { BoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { standardSeverities } from '../record/severity.ts'
import { readClock } from '../record/time.ts'

/**
 * Creates the producer of a logger for one exporter. It reports drops in the log: with a record of level warn whose event name is
 * `sluice.records_dropped` and whose attributes count the dropped records by reason and by level. One report is queued or in
 * flight at a time. If a report is dropped, the next one repeats its counts, but only another record of the logger can trigger
 * that next one: a dropped report alone never causes a report, so reports stop at a destination that rejects everything.
 */
export function createProducer(
  owner: RecordOwner,
  encoding: Encoding,
  bound: BoundState,
  clock: () => number,
): Producer {
  const drops = new DropCounts(owner.counters)
  // Use the logger's scope and resource without its attributes, which do not describe the drops.
  const reportBound = BoundState.ofSource(bound)
  const { counters } = owner
  let encoder = encoderFor(encoding, plainRules)
  let { attributes: encodedResourceAttributes } = bound.resource
  let isReportPending = false
  /**
   * The number of accepted records when the last report was dropped; -1 if none was. The next report waits until another record is
   * accepted.
   */
  let acceptedAtDrop = -1
  const reportOwner = new RecordOwner(counters, owner.source, undefined, (mayHaveArrived) => {
    isReportPending = false
    if (mayHaveArrived) return
    drops.rollback()
    acceptedAtDrop = counters.accepted
  })

  function reportRecord({ total, byReason, byLevel }: Drops): LogRecord {
    const record = newRecord(readClock(clock), standardSeverities.warn, 'warn', reportBound)
    record.body = `${counted(total, 'record')} ${wasOrWere(total)} dropped`
    record.keepsBraces = true
    record.attributes = { dropped: total, by_reason: byReason, by_level: byLevel }
    record.eventName = 'sluice.records_dropped'
    return record
  }

  return {
    owner,
    get unreportedCount() {
      return drops.unreportedCount
    },
    dropReport() {
      if (isReportPending || counters.accepted === acceptedAtDrop || !drops.hasUnreported) return undefined
      // The encoder caches the text of the resource. If attributes were added to the resource since, a new encoder is needed.
      if (encodedResourceAttributes !== reportBound.resource.attributes) encoder = encoderFor(encoding, plainRules)
      encodedResourceAttributes = reportBound.resource.attributes
      return {
        text: encoder.encode(reportRecord(drops.unreportedDrops)),
        severity: standardSeverities.warn,
        owner: reportOwner,
        onQueued() {
          isReportPending = true
          drops.markReported()
        },
      }
    },
  }
}
