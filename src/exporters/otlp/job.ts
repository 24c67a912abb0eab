import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { Outcome } from './response.ts'

/** A diagnostic about a batch. */
export interface OtlpDiagnostic {
  readonly code: 'SLUICE_OTLP_UNAVAILABLE' | 'SLUICE_OTLP_REJECTED' | 'SLUICE_OTLP_RESPONSE'
  /** The text after the exporter's name. It contains only those parts of the server's message that are safe to report. */
  readonly message: string
}

/** A part of a batch that is sent in one request. */
export interface RequestPart {
  readonly records: number
  /** How many bytes of the batch this part contains. */
  readonly byteLength: number
  /** The request before compression. */
  readonly body: Uint8Array
}

/** A batch that is sent in as few requests as the limits allow, and the responses so far. */
export class OtlpJob {
  readonly batch: EncodedBatch
  /** Resolves the pipeline's `export`; undefined if none is pending. */
  resolve: ((result: ExportResult) => void) | undefined
  /** The diagnostics to report, in order. */
  readonly diagnostics: OtlpDiagnostic[] = []
  private readonly encoding: OtlpEncoding
  private readonly maxBytes: number
  /** How many records from the front are settled. */
  private done = 0
  /** The maximum bytes of records in one request. It is reduced after each request that was too large. */
  private sliceBytes: number
  private refused = 0
  private tooLarge = 0
  private repeated = 0
  /**
   * Records before this one were sent without an answer and then sent again, so they may have arrived whatever the second
   * answer is.
   */
  private unknownTo = 0
  private statusCode: number | undefined
  private last: Extract<Outcome, { readonly kind: 'later' | 'unanswered' }> | undefined

  constructor(batch: EncodedBatch, encoding: OtlpEncoding, maxBytes: number) {
    this.batch = batch
    this.encoding = encoding
    this.maxBytes = maxBytes
    this.sliceBytes = maxBytes
  }

  /** Returns the next request, or undefined if all records are settled or a request failed. */
  next(): RequestPart | undefined {
    while (this.last === undefined && this.done < this.batch.count) {
      const rest = this.batch.slice(this.done)
      const slice = rest.slice(0, Math.max(1, rest.recordsIn(this.sliceBytes)))
      const { count: records, byteLength } = slice
      const body = concatenated(this.encoding.request(slice.bytes(), slice.sources()))
      if (body.length <= this.maxBytes) return { records, byteLength, body }
      this.splitOrDrop(
        { records, byteLength },
        'was not sent a record that is longer than maxRequestBytes; the record is lost',
      )
    }
    return undefined
  }

  /** Adds the outcome of a part. */
  take(part: RequestPart, outcome: Outcome, statusCode?: number): void {
    this.statusCode = statusCode ?? this.statusCode
    const { message } = outcome
    if (outcome.kind === 'taken') {
      this.done += part.records
      this.refused += outcome.rejected
      const code = outcome.rejected > 0 ? 'SLUICE_OTLP_REJECTED' : 'SLUICE_OTLP_RESPONSE'
      if (message !== undefined) this.diagnostics.push({ code, message })
    } else if (outcome.kind === 'refused') {
      this.done += part.records
      this.refused += part.records
      this.diagnostics.push({ code: 'SLUICE_OTLP_REJECTED', message: `${message}; ${part.records} records are lost` })
    } else if (outcome.kind === 'too large') {
      this.splitOrDrop(part, outcome.message)
    } else {
      this.last = outcome
      this.diagnostics.push({ code: 'SLUICE_OTLP_UNAVAILABLE', message: outcome.message })
    }
  }

  /** Stops sending. The remaining records can be retried. */
  stop(): void {
    if (this.done < this.batch.count) this.last ??= { kind: 'later', message: '', retryAfterMillis: undefined }
  }

  /** Notes that a part that may have arrived is sent again in another way. */
  repeat(part: RequestPart): void {
    this.repeated += part.records
    this.unknownTo = this.done + part.records
  }

  /** Returns the result of the batch. */
  result(): ExportResult {
    const { done, last, repeated } = this
    const refused: RejectedRecords[] = []
    if (this.refused > 0) refused.push({ records: this.refused, reason: 'rejected' })
    if (this.tooLarge > 0) refused.push({ records: this.tooLarge, reason: 'too_large' })
    const details = {
      ...(refused.length > 0 ? { refused } : {}),
      ...(repeated > 0 ? { maybeDuplicated: repeated } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
    if (last === undefined) {
      const isRefused = this.refused === this.batch.count
      if (!isRefused) return { status: 'accepted', ...details }
      const { statusCode } = details
      return {
        status: 'rejected',
        accepted: 0,
        reason: 'rejected',
        ...(statusCode === undefined ? {} : { statusCode }),
      }
    }
    const isOutcomeUnknown = (last.kind === 'unanswered' && last.mayHaveArrived) || this.unknownTo > done
    if (isOutcomeUnknown) return { status: 'unknown', accepted: done, ...details }
    const retryAfterMillis = last.kind === 'later' ? last.retryAfterMillis : undefined
    const retryDelay = retryAfterMillis === undefined ? {} : { retryAfterMillis }
    return { status: 'retryable', accepted: done, ...retryDelay, ...details }
  }

  /** Halves the request size, or counts a single record that is too large as lost. */
  private splitOrDrop({ records, byteLength }: Omit<RequestPart, 'body'>, message: string): void {
    if (records > 1) {
      this.sliceBytes = Math.floor(byteLength / 2)
    } else {
      this.done++
      this.tooLarge++
      this.diagnostics.push({ code: 'SLUICE_OTLP_REJECTED', message })
    }
  }
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
