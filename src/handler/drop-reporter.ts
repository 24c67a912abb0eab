import { encoderFor, type Encoding } from '../encode/encoding.ts'
import { plainRules } from '../encode/plain.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { Producer } from '../pipeline/producer.ts'
import { DropCounts, type Drops } from '../pipeline/drop-counts.ts'
import { BoundState, originOf } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import { severityOf } from '../record/severity.ts'
import { readClock } from '../record/time.ts'

/**
 * The lane of one exporter: it tells in the stream how many records were lost, in a record of level warn whose event name
 * is `sluice.records_dropped` and whose attributes count them by reason and by level. One report is queued or in flight at a
 * time. When a report is dropped itself, the next one repeats its counts, but only another record of the logger can trigger
 * that next one: the loss of a report alone never causes a report, so a destination that refuses everything ends the series.
 */
export function dropReporter(owner: RecordOwner, encoding: Encoding, bound: BoundState, clock: () => number): Producer {
  const watch = new DropCounts(owner.counters)
  // The loss is the logger's, but nothing that users bound says anything of it.
  const own = BoundState.of(originOf(bound))
  const { counters } = owner
  let encoder = encoderFor(encoding, plainRules)
  let { attributes: seen } = bound.resource
  let onItsWay = false
  /** How many records had been accepted when a report was dropped: until there are more, there is no other report. */
  let acceptedAtLoss = -1
  const noticeOrigin = new RecordOwner(counters, owner.source, undefined, (reached) => {
    onItsWay = false
    if (reached) return
    watch.rollback()
    acceptedAtLoss = counters.accepted
  })

  function noticeRecord({ total, byReason, byLevel }: Drops): LogRecord {
    return {
      time: readClock(clock),
      exact: undefined,
      severity: severityOf.warn,
      level: 'warn',
      body: total === 1 ? '1 record was dropped' : `${total} records were dropped`,
      literal: true,
      args: undefined,
      extra: undefined,
      attributes: { dropped: total, by_reason: byReason, by_level: byLevel },
      droppedAttributes: 0,
      exception: undefined,
      span: undefined,
      eventName: 'sluice.records_dropped',
      bound: own,
      enriched: undefined,
    }
  }

  return {
    owner,
    get unreported() {
      return watch.unreported
    },
    dropReport() {
      if (onItsWay || counters.accepted === acceptedAtLoss || !watch.isPending) return undefined
      // An encoder keeps what it has rendered of a resource, of which more may be known by now.
      if (seen !== own.resource.attributes) encoder = encoderFor(encoding, plainRules)
      seen = own.resource.attributes
      return {
        text: encoder.encode(noticeRecord(watch.loss)),
        severity: severityOf.warn,
        owner: noticeOrigin,
        entered() {
          onItsWay = true
          watch.markReported()
        },
      }
    },
  }
}
