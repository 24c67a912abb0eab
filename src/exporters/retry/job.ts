import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'

/**
 * A batch that is exported repeatedly, and the results so far.
 *
 *     0 ……… settledRecords ……… count
 *           └──────── rest ────────┘   exported next
 */
export class RetryJob {
  readonly batch: EncodedBatch
  /** When attempts end, in ms of the host's clock. */
  readonly deadline: number
  /** The records that are not settled yet. It is the same object until some of them are settled. */
  rest: EncodedBatch
  /** How many records from the front are settled. */
  settledRecords = 0
  /** How many times the batch was exported. The number of an attempt distinguishes its result from that of a later attempt. */
  attempts = 0
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  /** Rejects the pipeline's `export` with an error of the exporter; undefined if the pipeline has not called `export`. */
  reject: ((error: unknown) => void) | undefined
  private readonly refused: RejectedRecords[] = []
  /** The index of the first record whose attempt had an unknown outcome; undefined if no attempt had one. */
  private unknownFrom: number | undefined
  /** The records from `unknownFrom` up to, but not including, this index have or may have arrived in a later attempt too. */
  private resentEnd = 0
  /** How many records the exporter itself may have duplicated. */
  private duplicatedByExporter = 0
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

  /** Adds the exporter's result for `rest`, and removes settled records from `rest`. */
  addResult(result: ExportResult): void {
    const { count } = this.batch
    const isUnknown = result.status === 'unknown'
    const newlySettled = result.status === 'accepted' ? this.rest.count : clampCount(this.rest.count, result.accepted)
    this.settledRecords += newlySettled
    if (newlySettled > 0) this.rest = this.batch.slice(this.settledRecords)
    if (this.unknownFrom !== undefined)
      this.resentEnd = Math.max(this.resentEnd, isUnknown ? count : this.settledRecords)
    if (isUnknown) this.unknownFrom ??= this.settledRecords
    this.refused.push(...(result.refused ?? []))
    this.duplicatedByExporter += result.maybeDuplicated ?? 0
    this.statusCode = result.statusCode ?? this.statusCode
  }

  /** Returns whether nothing remains to retry after a result that was added. */
  isDone({ status }: ExportResult): boolean {
    return this.settledRecords >= this.batch.count || (status !== 'retryable' && status !== 'unknown')
  }

  /** Returns the result of the batch, given the last result that was added. */
  resultAfter(last: ExportResult): ExportResult {
    if (this.settledRecords >= this.batch.count) return { status: 'accepted', ...this.details(this.settledRecords) }
    return { ...last, accepted: this.settledRecords, ...this.details(this.settledRecords) } as ExportResult
  }

  /** Returns the result of the batch if there are no more attempts although records remain. */
  exhaustedResult(): ExportResult {
    const { settledRecords: accepted } = this
    return this.isOutcomeUnknown
      ? { status: 'unknown', accepted, ...this.details(this.batch.count) }
      : { status: 'rejected', accepted, reason: 'retry_exhausted', ...this.details(accepted) }
  }

  /** @param arrived - How many records have or may have arrived, including those that were refused. */
  private details(arrived: number): Pick<ExportResult, 'refused' | 'maybeDuplicated' | 'statusCode'> {
    const resentRecords = this.unknownFrom === undefined ? 0 : this.resentEnd - this.unknownFrom
    const refusedRecords = this.refused.reduce((sum, { records }) => sum + records, 0)
    const maybeDuplicated = Math.min(arrived - refusedRecords, Math.max(resentRecords, this.duplicatedByExporter))
    return {
      ...(this.refused.length > 0 ? { refused: this.refused } : {}),
      ...(maybeDuplicated > 0 ? { maybeDuplicated } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
  }
}

/** Limits a count to the range from 0 to `max`. A custom exporter may return any value. */
function clampCount(max: number, records: number): number {
  return Math.max(0, Math.min(max, Math.floor(records) || 0))
}
