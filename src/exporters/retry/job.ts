import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'

/**
 * A batch that is given to an exporter as often as it takes, and what was answered so far.
 *
 *     0 ……… done ……… count
 *           └ rest ────┘   what is given next
 */
export class RetryJob {
  readonly batch: EncodedBatch
  /** Until when it is tried, in ms of the host's clock. */
  readonly deadline: number
  /** What the exporter has not settled yet. The same object until some of it is. */
  rest: EncodedBatch
  /** How many records from the front are settled. */
  done = 0
  /** How often the exporter was given it in the event loop: a late answer is told by it. */
  attempts = 0
  /** Answers the pipeline's `export`; undefined while nobody waits. */
  resolve: ((result: ExportResult) => void) | undefined
  reject: ((error: unknown) => void) | undefined
  private readonly refused: RejectedRecords[] = []
  /** From here on records were sent without an answer, and up to there sent again. */
  private doubtFrom: number | undefined
  private repeatedTo = 0
  /** What the exporter itself sent again. */
  private duplicated = 0
  /** What was answered last, where the destination speaks HTTP. */
  private statusCode: number | undefined

  constructor(batch: EncodedBatch, deadline: number) {
    this.batch = batch
    this.rest = batch
    this.deadline = deadline
  }

  /** Whether what is left may have arrived. */
  get isOutcomeUnknown(): boolean {
    return this.doubtFrom !== undefined
  }

  /** Counts what the exporter said of `rest`. */
  note(result: ExportResult): void {
    const { count } = this.batch
    const isUnknown = result.status === 'unknown'
    const taken = result.status === 'accepted' ? this.rest.count : within(this.rest.count, result.accepted)
    this.done += taken
    if (taken > 0) this.rest = this.batch.slice(this.done)
    if (this.doubtFrom !== undefined) this.repeatedTo = Math.max(this.repeatedTo, isUnknown ? count : this.done)
    if (isUnknown) this.doubtFrom ??= this.done
    this.refused.push(...(result.refused ?? []))
    this.duplicated += result.maybeDuplicated ?? 0
    this.statusCode = result.statusCode ?? this.statusCode
  }

  /** Whether an answer that was noted leaves nothing to try again. */
  isDone({ status }: ExportResult): boolean {
    return this.done >= this.batch.count || (status !== 'retryable' && status !== 'unknown')
  }

  /** What the pipeline is told after the answer that was noted last. */
  finished(last: ExportResult): ExportResult {
    if (this.done >= this.batch.count) return { status: 'accepted', ...this.notes(this.done) }
    return { ...last, accepted: this.done, ...this.notes(this.done) } as ExportResult
  }

  /** What the pipeline is told when it is not tried any more. */
  exhausted(): ExportResult {
    const { done: accepted } = this
    return this.isOutcomeUnknown
      ? { status: 'unknown', accepted, ...this.notes(this.batch.count) }
      : { status: 'rejected', accepted, reason: 'retry_exhausted', ...this.notes(accepted) }
  }

  /** `reached`: how many records have arrived, or may have, those that were refused included. */
  private notes(reached: number): Pick<ExportResult, 'refused' | 'maybeDuplicated' | 'statusCode'> {
    const repeated = this.doubtFrom === undefined ? 0 : this.repeatedTo - this.doubtFrom
    const refused = this.refused.reduce((sum, { records }) => sum + records, 0)
    const maybeDuplicated = Math.min(reached - refused, Math.max(repeated, this.duplicated))
    return {
      ...(this.refused.length > 0 ? { refused: this.refused } : {}),
      ...(maybeDuplicated > 0 ? { maybeDuplicated } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
  }
}

/** What an exporter says of numbers may be anything. */
function within(most: number, records: number): number {
  return Math.max(0, Math.min(most, Math.floor(records) || 0))
}
