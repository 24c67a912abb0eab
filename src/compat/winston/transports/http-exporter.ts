import { fetchFailure } from '../../../exporters/fetch/failure.ts'
import { untraced } from '../../../exporters/otlp/untraced.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../../pipeline/exporter.ts'
import { ownCopy } from '../../../options/own-members.ts'

/** Where and how `httpExporter` sends. */
export interface HttpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Several records in one request, as an array. */
  readonly batch: boolean
  readonly timeoutMillis: number
}

/** Sends JSON by POST: one record, or an array of them. Needs the event loop: what waits when the process ends is lost and counted. */
export function httpExporter(
  { url, headers, batch: isArray, timeoutMillis }: HttpSettings,
  rest: Pick<Exporter, 'encoding' | 'schedule' | 'delivery'>,
): Exporter {
  // Never the URL's path or query: they may hold a token.
  const name = `http:${new URL(url).host}`
  let host: ExporterHost | undefined

  async function send(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const records = batch.records().map(({ text }) => text)
    const limit = AbortSignal.timeout(timeoutMillis)
    try {
      const request: RequestInit = ownCopy({
        method: 'POST',
        headers,
        body: isArray ? `[${records.join(',')}]` : records.join('\n'),
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      const response = await untraced(() => fetch(url, request))
      await response.body?.cancel()
      return answerOf(response)
    } catch (error) {
      const { code, mayHaveArrived } = fetchFailure(error)
      host?.reportDiagnostic('SLUICE_HTTP_FAILED', `${name} gave no answer${code === undefined ? '' : ` (${code})`}`)
      return { status: mayHaveArrived ? 'unknown' : 'retryable', accepted: 0 }
    }
  }

  function answerOf({ ok, status }: Response): ExportResult {
    if (ok) return { status: 'accepted', statusCode: status }
    host?.reportDiagnostic('SLUICE_HTTP_FAILED', `${name} answered ${status}`)
    if (status === 429 || status >= 500) return { status: 'retryable', accepted: 0, statusCode: status }
    return { status: 'rejected', accepted: 0, reason: 'rejected', statusCode: status }
  }

  return { name, ...rest, start: (given) => void (host = given), export: send }
}
