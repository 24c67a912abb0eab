import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'

/**
 * A batch that is exported repeatedly, and the results so far.
 *
 *     0 ……… done ……… count
 *           └ rest ────┘   exported next
 */
export class RetryJob {
  readonly batch: EncodedBatch
  /** When attempts end, in ms of the host's clock. */
  readonly deadline: number
  /** The records that are not settled yet. The same object until some of them are. */
  rest: EncodedBatch
  /** How many records from the front are settled. */
  done = 0
  /** How many times it was exported, which identifies a late answer to an earlier attempt. */
  attempts = 0
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  reject: ((error: unknown) => void) | undefined
  private readonly refused: RejectedRecords[] = []
  /** Records from here on were sent without an answer; those before `resentTo` were sent again. */
  private unknownFrom: number | undefined
  private resentTo = 0
  /** How many records the exporter itself may have duplicated. */
  private duplicated = 0
  /** The last HTTP status code, if the destination uses HTTP. */
  private statusCode: number | undefined

  constructor(batch: EncodedBatch, deadline: number) {
    this.batch = batch
    this.rest = batch
    this.deadline = deadline
  }

  /** Whether the remaining records may have arrived. */
  get isOutcomeUnknown(): boolean {
    return this.unknownFrom !== undefined
  }

  /** Adds the exporter's result for `rest`. */
  note(result: ExportResult): void {
    const { count } = this.batch
    const isUnknown = result.status === 'unknown'
    const settled = result.status === 'accepted' ? this.rest.count : within(this.rest.count, result.accepted)
    this.done += settled
    if (settled > 0) this.rest = this.batch.slice(this.done)
    if (this.unknownFrom !== undefined) this.resentTo = Math.max(this.resentTo, isUnknown ? count : this.done)
    if (isUnknown) this.unknownFrom ??= this.done
    this.refused.push(...(result.refused ?? []))
    this.duplicated += result.maybeDuplicated ?? 0
    this.statusCode = result.statusCode ?? this.statusCode
  }

  /** Returns whether nothing remains to retry after a result that was noted. */
  isDone({ status }: ExportResult): boolean {
    return this.done >= this.batch.count || (status !== 'retryable' && status !== 'unknown')
  }

  /** Returns the result for the pipeline after the last noted result. */
  finished(last: ExportResult): ExportResult {
    if (this.done >= this.batch.count) return { status: 'accepted', ...this.details(this.done) }
    return { ...last, accepted: this.done, ...this.details(this.done) } as ExportResult
  }

  /** Returns the result for the pipeline when there are no more attempts. */
  exhausted(): ExportResult {
    const { done: accepted } = this
    return this.isOutcomeUnknown
      ? { status: 'unknown', accepted, ...this.details(this.batch.count) }
      : { status: 'rejected', accepted, reason: 'retry_exhausted', ...this.details(accepted) }
  }

  /** @param arrived - How many records have or may have arrived, including those that were refused. */
  private details(arrived: number): Pick<ExportResult, 'refused' | 'maybeDuplicated' | 'statusCode'> {
    const repeated = this.unknownFrom === undefined ? 0 : this.resentTo - this.unknownFrom
    const refused = this.refused.reduce((sum, { records }) => sum + records, 0)
    const maybeDuplicated = Math.min(arrived - refused, Math.max(repeated, this.duplicated))
    return {
      ...(this.refused.length > 0 ? { refused: this.refused } : {}),
      ...(maybeDuplicated > 0 ? { maybeDuplicated } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
  }
}

/** Clamps a count, because an exporter may return any value. */
function within(most: number, records: number): number {
  return Math.max(0, Math.min(most, Math.floor(records) || 0))
}
