import { fetchFailure } from '../../../exporters/fetch/failure.ts'
import { withTracingSuppressed } from '../../../exporters/otlp/tracing-suppression.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../../pipeline/exporter.ts'
import { withoutPrototype } from '../../../options/own-members.ts'

/** Settings of `httpExporter`. */
export interface HttpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether several records are sent in one request, as an array. */
  readonly batch: boolean
  /** Maximum duration of one request. */
  readonly timeoutMillis: number
}

/**
 * Creates an exporter that sends JSON by POST: one record, or an array of them. It requires the event loop, so records that are queued
 * when the process exits are lost and counted.
 */
export function httpExporter(
  { url, headers, batch: isArray, timeoutMillis }: HttpSettings,
  exporterOptions: Pick<Exporter, 'encoding' | 'schedule' | 'delivery'>,
): Exporter {
  // Without the path and query of the URL, which may contain a token.
  const name = `http:${new URL(url).host}`
  let host: ExporterHost | undefined

  async function send(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const records = batch.records().map(({ text }) => text)
    const timeoutSignal = AbortSignal.timeout(timeoutMillis)
    try {
      const request: RequestInit = withoutPrototype({
        method: 'POST',
        headers,
        body: isArray ? `[${records.join(',')}]` : records.join('\n'),
        redirect: 'error',
        signal: signal === undefined ? timeoutSignal : AbortSignal.any([signal, timeoutSignal]),
      })
      const response = await withTracingSuppressed(() => fetch(url, request))
      await response.body?.cancel()
      return resultOf(response)
    } catch (error) {
      const { code, mayHaveArrived } = fetchFailure(error)
      host?.reportDiagnostic('SLUICE_HTTP_FAILED', `${name} did not respond${code === undefined ? '' : ` (${code})`}`)
      return { status: mayHaveArrived ? 'unknown' : 'retryable', accepted: 0 }
    }
  }

  function resultOf({ ok, status }: Response): ExportResult {
    if (ok) return { status: 'accepted', statusCode: status }
    host?.reportDiagnostic('SLUICE_HTTP_FAILED', `${name} responded with status ${status}`)
    if (status === 429 || status >= 500) return { status: 'retryable', accepted: 0, statusCode: status }
    return { status: 'rejected', accepted: 0, reason: 'rejected', statusCode: status }
  }

  return { name, ...exporterOptions, start: (exporterHost) => void (host = exporterHost), export: send }
}
