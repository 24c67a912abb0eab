import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { DestinationResult } from './destination.ts'
import type { StoredLine } from './write-loop.ts'
import type { SpoolJob } from './job.ts'
import type { SpoolStore } from './store.ts'

/**
 * A batch that is sent directly: from the pipeline to the destination, not from a file. While it is in flight, it may be written to
 * files too, for example if the result takes too long. A result for the whole batch then also settles those of
 * its lines that are the first in the queue.
 */
export class DirectSend {
  readonly job: SpoolJob
  readonly batch: EncodedBatch
  /** Resolves when there is a result and it is counted. */
  resultRecorded: Promise<void> = Promise.resolve()
  /** The lines of the batch that were written to files. */
  readonly storedLines: StoredLine[] = []

  constructor(job: SpoolJob, batch: EncodedBatch) {
    this.job = job
    this.batch = batch
  }

  /** Counts the result: for the lines that it settles, and for the job for all other records. */
  recordResult(result: DestinationResult, store: SpoolStore): void {
    const { job, batch } = this
    // The records that are not in lines are the last ones of the batch.
    const settled = Math.max(0, result.settled - (batch.count - job.restCount))
    // The rejected records are not identified. The job gets those that were not counted for lines, so that they do not count as written.
    const rejectedInLines = this.settleLines(result, store)
    const refused = Math.min(settled, result.rejected + result.tooLarge - rejectedInLines)
    const rejected = Math.min(refused, Math.max(0, result.rejected - rejectedInLines))
    job.addResult({ ...result, settled, rejected, tooLarge: refused - rejected })
  }

  /**
   * Settles the lines that are the first in the queue, if the whole batch is settled. The other lines are sent again, and their
   * rejected records are counted then.
   *
   * @returns How many rejected records were counted for lines.
   */
  private settleLines(result: DestinationResult, store: SpoolStore): number {
    if (result.settled < this.batch.count) {
      // The settled records may end inside a line, so all lines stay queued and are sent again.
      const storedRecords = this.storedLines.reduce((sum, { records }) => sum + records, 0)
      store.countMaybeDuplicated(result.isOutcomeUnknown ? storedRecords : Math.min(storedRecords, result.settled))
      return 0
    }
    let rejectedCount = 0
    for (const { sequence, start, end, records } of this.storedLines) {
      const segment = store.head()
      // The line is not the first in the queue: older records are queued (see `canSendDirectly`), or the line was dropped.
      if (segment?.sequence !== sequence || segment.readOffset !== start) {
        store.countMaybeDuplicated(records)
        continue
      }
      const rejected = Math.min(records, result.rejected + result.tooLarge - rejectedCount)
      rejectedCount += rejected
      store.settle(segment, { accepted: records - rejected, rejected })
      store.advanceTo(segment, end)
    }
    return rejectedCount
  }
}
