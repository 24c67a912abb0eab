import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { RequestResult } from '../otlp/request-result.ts'
import { HeaderError } from '../otlp/headers.ts'
import { OtlpJob, type RequestPart } from '../otlp/job.ts'
import { outcomeOf, type Outcome } from '../otlp/response.ts'
import { exchange } from './exchange.ts'
import type { FetchSettings } from './options.ts'
import { unknownResult } from '../../pipeline/guarded-exporter.ts'
import { ownCopy } from '../../options/own-members.ts'

/** The longest request that a browser continues after the page is left, in bytes. It leaves room for other requests of the page. */
const maxKeepaliveBytes = 60 * 1024

/** Sends batches by OTLP/HTTP with `fetch`, with one attempt each and one request at a time. */
export class FetchSender {
  private readonly name: string
  private readonly settings: FetchSettings
  private readonly encoding: OtlpEncoding
  private readonly closing = new AbortController()
  private host!: ExporterHost
  private job: OtlpJob | undefined
  /** The part of the batch that `fetch` was called with, until it settles. */
  private sent: RequestPart | undefined

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
    for (let part = job.next(); part !== undefined; part = job.next()) {
      const [outcome, status] = await this.send(part, signal)
      job.take(part, outcome, status)
    }
    for (const { code, message } of job.diagnostics) this.host.reportDiagnostic(code, `${this.name} ${message}`)
    return job.result()
  }

  /** Ends the current batch and returns its known result. */
  abandon(): ExportResult {
    const { job, sent } = this
    if (job === undefined) return unknownResult
    if (sent !== undefined) job.take(sent, { kind: 'unanswered', mayHaveArrived: true, message: '' })
    job.stop()
    return job.result()
  }

  /** Aborts the current request. */
  shutdown(): void {
    this.closing.abort()
  }

  private async send(
    part: RequestPart,
    signal: AbortSignal | undefined,
  ): Promise<readonly [Outcome, number | undefined]> {
    const { url, headers, timeoutMillis, keepalive, fetch = globalThis.fetch, secrets } = this.settings
    const { contentType } = this.encoding
    let answer: RequestResult
    try {
      const fields = await headers.get(timeoutMillis)
      this.sent = part
      answer = await exchange(
        {
          url: url.href,
          headers: ownCopy({ ...Object.fromEntries(fields), 'content-type': contentType }),
          body: part.body,
          keepalive: keepalive && part.body.length <= maxKeepaliveBytes,
          timeoutMillis,
          signals: [signal, this.closing.signal],
        },
        fetch,
      )
    } catch (error) {
      const why = error instanceof HeaderError ? error.message : 'the request could not be created'
      return [{ kind: 'unanswered', mayHaveArrived: false, message: `was not called: ${why}` }, undefined]
    } finally {
      this.sent = undefined
    }
    const sent = { contentType, records: part.records, secrets: [...headers.secrets, ...secrets] }
    return [outcomeOf(answer, sent, Date.now()), answer.status]
  }
}
