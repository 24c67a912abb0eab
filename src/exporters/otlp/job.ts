import { lostRecordsText } from '../../options/counted.ts'
import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { Outcome } from './response.ts'

/** A diagnostic about a batch. */
export interface OtlpDiagnostic {
  readonly code: 'SLUICE_OTLP_UNAVAILABLE' | 'SLUICE_OTLP_REJECTED' | 'SLUICE_OTLP_RESPONSE'
  /** The text after the exporter's name. It contains only those parts of the server's message that are safe to report. */
  readonly message: string
}

/** The part of a batch that is sent in one request. */
export interface BatchPart {
  readonly records: number
  /** How many bytes of the batch this part contains. */
  readonly byteLength: number
  /** The request before compression. */
  readonly body: Uint8Array
}

/** A batch that is sent in one request, or in several within the size limits of this exporter and the server, and the outcomes so far. */
export class OtlpJob {
  readonly batch: EncodedBatch
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  /** The diagnostics to report, in order. */
  readonly diagnostics: OtlpDiagnostic[] = []
  private readonly encoding: OtlpEncoding
  private readonly maxBytes: number
  /** How many records from the front are settled: accepted, rejected or too large. */
  private settledRecords = 0
  /** The maximum size of the records in one part, in bytes. It is reduced each time the request of a part is too large. */
  private sliceBytes: number
  /** How many of the settled records the server has rejected. */
  private rejectedRecords = 0
  /** How many of the settled records are too large for a request. */
  private tooLargeRecords = 0
  /** How many records were sent again although they may have arrived. */
  private resentRecords = 0
  /**
   * The index after the last record that was sent again because its request got no response. Records before it that are not settled
   * may have arrived, whatever the response to the second request is.
   */
  private resentEnd = 0
  /** The status code of the last response. */
  private statusCode: number | undefined
  /** The outcome after which no more requests are sent. */
  private failure: Extract<Outcome, { readonly kind: 'later' | 'unanswered' }> | undefined

  constructor(batch: EncodedBatch, encoding: OtlpEncoding, maxBytes: number) {
    this.batch = batch
    this.encoding = encoding
    this.maxBytes = maxBytes
    this.sliceBytes = maxBytes
  }

  /** Returns the next part to send, or undefined if all records are settled or a request failed. */
  nextPart(): BatchPart | undefined {
    while (this.failure === undefined && this.settledRecords < this.batch.count) {
      const rest = this.batch.slice(this.settledRecords)
      const slice = rest.slice(0, Math.max(1, rest.recordsIn(this.sliceBytes)))
      const { count: records, byteLength } = slice
      const body = concatenate(this.encoding.request(slice.bytes(), slice.sources()))
      if (body.length <= this.maxBytes) return { records, byteLength, body }
      this.splitOrDrop(
        { records, byteLength },
        'was not sent a record that is longer than maxRequestBytes; the record is lost',
      )
    }
    return undefined
  }

  /** Adds the outcome of a part. */
  addOutcome(part: BatchPart, outcome: Outcome, statusCode?: number): void {
    this.statusCode = statusCode ?? this.statusCode
    const { message } = outcome
    if (outcome.kind === 'accepted') {
      this.settledRecords += part.records
      this.rejectedRecords += outcome.rejected
      const code = outcome.rejected > 0 ? 'SLUICE_OTLP_REJECTED' : 'SLUICE_OTLP_RESPONSE'
      if (message !== undefined) this.diagnostics.push({ code, message })
    } else if (outcome.kind === 'rejected') {
      this.settledRecords += part.records
      this.rejectedRecords += part.records
      this.diagnostics.push({ code: 'SLUICE_OTLP_REJECTED', message: `${message}; ${lostRecordsText(part.records)}` })
    } else if (outcome.kind === 'too large') {
      this.splitOrDrop(part, outcome.message)
    } else {
      this.failure = outcome
      this.diagnostics.push({ code: 'SLUICE_OTLP_UNAVAILABLE', message: outcome.message })
    }
  }

  /** Ends the job: the records that are not settled can be retried. */
  stop(): void {
    if (this.settledRecords < this.batch.count)
      this.failure ??= { kind: 'later', message: '', retryAfterMillis: undefined }
  }

  /** Notes that a part is sent again although it may have arrived. */
  markResent(part: BatchPart): void {
    this.resentRecords += part.records
    this.resentEnd = this.settledRecords + part.records
  }

  /** Returns the result of the batch. */
  result(): ExportResult {
    const { settledRecords, failure, resentRecords } = this
    const refused: RejectedRecords[] = []
    if (this.rejectedRecords > 0) refused.push({ records: this.rejectedRecords, reason: 'rejected' })
    if (this.tooLargeRecords > 0) refused.push({ records: this.tooLargeRecords, reason: 'too_large' })
    const details = {
      ...(refused.length > 0 ? { refused } : {}),
      ...(resentRecords > 0 ? { maybeDuplicated: resentRecords } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
    if (failure === undefined) {
      const areAllRejected = this.rejectedRecords === this.batch.count
      if (!areAllRejected) return { status: 'accepted', ...details }
      const { statusCode } = details
      return {
        status: 'rejected',
        accepted: 0,
        reason: 'rejected',
        ...(statusCode === undefined ? {} : { statusCode }),
      }
    }
    const isOutcomeUnknown =
      (failure.kind === 'unanswered' && failure.mayHaveArrived) || this.resentEnd > settledRecords
    if (isOutcomeUnknown) return { status: 'unknown', accepted: settledRecords, ...details }
    const retryAfterMillis = failure.kind === 'later' ? failure.retryAfterMillis : undefined
    const retryDelay = retryAfterMillis === undefined ? {} : { retryAfterMillis }
    return { status: 'retryable', accepted: settledRecords, ...retryDelay, ...details }
  }

  /** Limits later parts to half the size of this one. If this part is a single record, settles it as too large instead. */
  private splitOrDrop({ records, byteLength }: Omit<BatchPart, 'body'>, message: string): void {
    if (records > 1) {
      this.sliceBytes = Math.floor(byteLength / 2)
    } else {
      this.settledRecords++
      this.tooLargeRecords++
      this.diagnostics.push({ code: 'SLUICE_OTLP_REJECTED', message })
    }
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
