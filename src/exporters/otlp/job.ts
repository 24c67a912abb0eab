import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExportResult, RejectedRecords } from '../../pipeline/exporter.ts'
import type { Outcome } from './response.ts'

/** Something that the user should know. */
export interface Trouble {
  readonly code: 'SLUICE_OTLP_UNAVAILABLE' | 'SLUICE_OTLP_REFUSED' | 'SLUICE_OTLP_ANSWER'
  /** What goes on after the exporter's name. Of the server's text only what may be told stands in it. */
  readonly message: string
}

/** A part of a batch that goes in one request. */
export interface Part {
  readonly records: number
  /** How many bytes of the batch they are. */
  readonly byteLength: number
  /** The request, not compressed. */
  readonly body: Uint8Array
}

/** A batch on its way, in as few requests as the limits allow, and what was answered to them. */
export class OtlpJob {
  readonly batch: EncodedBatch
  /** Answers the pipeline's `export`; undefined while nobody waits. */
  resolve: ((result: ExportResult) => void) | undefined
  /** What there is to tell, in order. */
  readonly troubles: Trouble[] = []
  private readonly encoding: OtlpEncoding
  private readonly maxBytes: number
  /** How many records from the front are settled. */
  private done = 0
  /** How many bytes of records go together: less after each request that was too long. */
  private together: number
  private refused = 0
  private tooLarge = 0
  private repeated = 0
  /** Records before this one were sent without an answer, and again: they may have arrived whatever is answered to that. */
  private doubtTo = 0
  private statusCode: number | undefined
  private last: Extract<Outcome, { readonly kind: 'later' | 'unanswered' }> | undefined

  constructor(batch: EncodedBatch, encoding: OtlpEncoding, maxBytes: number) {
    this.batch = batch
    this.encoding = encoding
    this.maxBytes = maxBytes
    this.together = maxBytes
  }

  /** The next request; undefined when there is none, because all have an answer or one was not taken. */
  next(): Part | undefined {
    while (this.last === undefined && this.done < this.batch.count) {
      const rest = this.batch.slice(this.done)
      const slice = rest.slice(0, Math.max(1, rest.recordsIn(this.together)))
      const { count: records, byteLength } = slice
      const body = joined(this.encoding.request(slice.bytes(), slice.sources()))
      if (body.length <= this.maxBytes) return { records, byteLength, body }
      this.tooLong({ records, byteLength }, 'was not given a record that is longer than maxRequestBytes')
    }
    return undefined
  }

  /** Counts what was answered to a part. */
  take(part: Part, outcome: Outcome, statusCode?: number): void {
    this.statusCode = statusCode ?? this.statusCode
    const { told } = outcome
    if (outcome.kind === 'taken') {
      this.done += part.records
      this.refused += outcome.rejected
      const code = outcome.rejected > 0 ? 'SLUICE_OTLP_REFUSED' : 'SLUICE_OTLP_ANSWER'
      if (told !== undefined) this.troubles.push({ code, message: told })
    } else if (outcome.kind === 'refused') {
      this.done += part.records
      this.refused += part.records
      this.troubles.push({ code: 'SLUICE_OTLP_REFUSED', message: `${told}; ${part.records} records are lost` })
    } else if (outcome.kind === 'too large') {
      this.tooLong(part, outcome.told)
    } else {
      this.last = outcome
      this.troubles.push({ code: 'SLUICE_OTLP_UNAVAILABLE', message: outcome.told })
    }
  }

  /** What has no answer yet is not sent any more. */
  stop(): void {
    if (this.done < this.batch.count) this.last ??= { kind: 'later', told: '', retryAfterMillis: undefined }
  }

  /** A part that may have arrived is sent by another way. */
  repeat(part: Part): void {
    this.repeated += part.records
    this.doubtTo = this.done + part.records
  }

  /** What the batch's records have come to. */
  result(): ExportResult {
    const { done, last, repeated } = this
    const refused: RejectedRecords[] = []
    if (this.refused > 0) refused.push({ records: this.refused, reason: 'rejected' })
    if (this.tooLarge > 0) refused.push({ records: this.tooLarge, reason: 'too_large' })
    const notes = {
      ...(refused.length > 0 ? { refused } : {}),
      ...(repeated > 0 ? { maybeDuplicated: repeated } : {}),
      ...(this.statusCode === undefined ? {} : { statusCode: this.statusCode }),
    }
    if (last === undefined) {
      const isRefused = this.refused === this.batch.count
      if (!isRefused) return { status: 'accepted', ...notes }
      const { statusCode } = notes
      return {
        status: 'rejected',
        accepted: 0,
        reason: 'rejected',
        ...(statusCode === undefined ? {} : { statusCode }),
      }
    }
    const isOutcomeUnknown = (last.kind === 'unanswered' && last.mayHaveArrived) || this.doubtTo > done
    if (isOutcomeUnknown) return { status: 'unknown', accepted: done, ...notes }
    const retryAfterMillis = last.kind === 'later' ? last.retryAfterMillis : undefined
    const asked = retryAfterMillis === undefined ? {} : { retryAfterMillis }
    return { status: 'retryable', accepted: done, ...asked, ...notes }
  }

  /** Fewer of them may do; one alone is lost. */
  private tooLong({ records, byteLength }: Omit<Part, 'body'>, told: string): void {
    if (records > 1) {
      this.together = Math.floor(byteLength / 2)
    } else {
      this.done++
      this.tooLarge++
      this.troubles.push({ code: 'SLUICE_OTLP_REFUSED', message: told })
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
