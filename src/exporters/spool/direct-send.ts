import type { EncodedBatch } from '../../pipeline/exporter.ts'
import type { DestinationAnswer } from './destination.ts'
import type { SpoolPosition } from './intake.ts'
import type { SpoolJob } from './job.ts'
import type { SpoolStore } from './store.ts'

/**
 * A new batch that the destination has. While it waits for its answer it may go into files as well: nothing older was there,
 * so what `kept` says are the first lines that wait. An answer that comes afterwards is theirs, too.
 */
export class SpoolDirect {
  readonly job: SpoolJob
  readonly batch: EncodedBatch
  /** Resolves when there is an answer, and it is counted. */
  answered: Promise<void> = Promise.resolve()
  readonly kept: SpoolPosition[] = []

  constructor(job: SpoolJob, batch: EncodedBatch) {
    this.job = job
    this.batch = batch
  }

  /** Counts the answer: for the job where its records are nowhere else, else for the lines. */
  landed(answer: DestinationAnswer, store: SpoolStore): void {
    if (this.kept.length === 0) return this.job.answered(answer)
    const inFiles = this.kept.reduce((sum, { records }) => sum + records, 0)
    if (answer.settled < this.batch.count) {
      // Which lines that were is not known.
      store.doubt(answer.inDoubt ? inFiles : Math.min(inFiles, answer.settled))
      return
    }
    let refused = Math.min(inFiles, answer.rejected + answer.tooLarge)
    for (const { sequence, start, end, records } of this.kept) {
      const segment = store.head()
      // Something older is in front of it after all, as where the disk was full for a while; or it was dropped.
      if (segment?.sequence !== sequence || segment.from !== start) {
        store.doubt(records)
        continue
      }
      const rejected = Math.min(refused, records)
      refused -= rejected
      store.settle(segment, { replayed: records - rejected, rejected })
      store.passed(segment, end)
    }
    // What was in no file yet has its answer now.
    if (inFiles < this.batch.count)
      this.job.answered({ ...answer, settled: this.batch.count - inFiles, rejected: 0, tooLarge: 0 })
  }
}
