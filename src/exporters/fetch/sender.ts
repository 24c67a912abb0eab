import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { RequestResult } from '../otlp/request-result.ts'
import { HeaderError } from '../otlp/headers.ts'
import { OtlpJob, type BatchPart } from '../otlp/job.ts'
import { outcomeOf, type Outcome } from '../otlp/response.ts'
import { postWithFetch } from './exchange.ts'
import type { FetchSettings } from './options.ts'
import { unknownResult } from '../../pipeline/guarded-exporter.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** The longest body that is sent with `keepalive`, in bytes. It leaves room for other requests within the limit of 64 KiB of a page. */
const maxKeepaliveBytes = 60 * 1024

/** Sends batches by OTLP/HTTP with `fetch`, with one attempt each and one request at a time. */
export class FetchSender {
  private readonly name: string
  private readonly settings: FetchSettings
  private readonly encoding: OtlpEncoding
  private readonly shutdownController = new AbortController()
  private host!: ExporterHost
  private job: OtlpJob | undefined
  /** The part of the batch whose request is in progress. */
  private sentPart: BatchPart | undefined

  constructor(name: string, settings: FetchSettings, encoding: OtlpEncoding) {
    this.name = name
    this.settings = settings
    this.encoding = encoding
  }

  start(host: ExporterHost): void {
    this.host = host
  }

  async export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const job = (this.job = new OtlpJob(batch, this.encoding, this.settings.maxRequestBytes))
    for (let part = job.nextPart(); part !== undefined; part = job.nextPart()) {
      const [outcome, status] = await this.send(part, signal)
      job.addOutcome(part, outcome, status)
    }
    for (const { code, message } of job.diagnostics) this.host.reportDiagnostic(code, `${this.name} ${message}`)
    return job.result()
  }

  /** Ends the current batch and returns its result so far. A part whose request is in progress may have arrived. */
  abandon(): ExportResult {
    const { job, sentPart } = this
    if (job === undefined) return unknownResult
    if (sentPart !== undefined) job.addOutcome(sentPart, { kind: 'unanswered', mayHaveArrived: true, message: '' })
    job.stop()
    return job.result()
  }

  /** Aborts the current request and every later one. */
  shutdown(): void {
    this.shutdownController.abort()
  }

  /** Sends one part. Returns its outcome and the status code of the response. */
  private async send(
    part: BatchPart,
    signal: AbortSignal | undefined,
  ): Promise<readonly [Outcome, number | undefined]> {
    const { url, headers, timeoutMillis, keepalive, fetch = globalThis.fetch, secrets } = this.settings
    const { contentType } = this.encoding
    let result: RequestResult
    try {
      const headerFields = await headers.get(timeoutMillis)
      this.sentPart = part
      result = await postWithFetch(
        {
          url: url.href,
          headers: withoutPrototype({ ...Object.fromEntries(headerFields), 'content-type': contentType }),
          body: part.body,
          keepalive: keepalive && part.body.length <= maxKeepaliveBytes,
          timeoutMillis,
          signals: [signal, this.shutdownController.signal],
        },
        fetch,
      )
    } catch (error) {
      const why = error instanceof HeaderError ? error.message : 'the request could not be created'
      return [{ kind: 'unanswered', mayHaveArrived: false, message: `was not called: ${why}` }, undefined]
    } finally {
      this.sentPart = undefined
    }
    const sentRequest = { contentType, records: part.records, secrets: [...headers.secrets, ...secrets] }
    return [outcomeOf(result, sentRequest, Date.now()), result.status]
  }
}
