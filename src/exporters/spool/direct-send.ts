import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { DestinationResult } from './destination.ts'
import type { SpoolPosition } from './write-loop.ts'
import type { SpoolJob } from './job.ts'
import type { SpoolStore } from './store.ts'

/**
 * A new batch that is sent directly. While it is in flight, it may be written to files too. There were no older records, so
 * `kept` is the positions of the first queued lines, and a later answer settles them too.
 */
export class DirectSend {
  readonly job: SpoolJob
  readonly batch: EncodedBatch
  /** Resolves when there is an answer and it is counted. */
  answered: Promise<void> = Promise.resolve()
  readonly kept: SpoolPosition[] = []

  constructor(job: SpoolJob, batch: EncodedBatch) {
    this.job = job
    this.batch = batch
  }

  /** Counts the answer: for the job if its records are in no file, otherwise for the lines. */
  landed(answer: DestinationResult, store: SpoolStore): void {
    if (this.kept.length === 0) return this.job.answered(answer)
    const inFiles = this.kept.reduce((sum, { records }) => sum + records, 0)
    if (answer.settled < this.batch.count) {
      // It is unknown which lines these records are in.
      store.doubt(answer.inDoubt ? inFiles : Math.min(inFiles, answer.settled))
      return
    }
    let refused = Math.min(inFiles, answer.rejected + answer.tooLarge)
    for (const { sequence, start, end, records } of this.kept) {
      const segment = store.head()
      // The line is not at the front of the queue, for example because the disk was full for a while, or it was dropped.
      if (segment?.sequence !== sequence || segment.from !== start) {
        store.doubt(records)
        continue
      }
      const rejected = Math.min(refused, records)
      refused -= rejected
      store.settle(segment, { replayed: records - rejected, rejected })
      store.passed(segment, end)
    }
    // Records that were not yet in a file are settled by the answer.
    if (inFiles < this.batch.count)
      this.job.answered({ ...answer, settled: this.batch.count - inFiles, rejected: 0, tooLarge: 0 })
  }
}
