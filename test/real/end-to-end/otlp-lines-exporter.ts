import { setTimeout as sleep } from 'node:timers/promises'
import { otlpJsonLines } from '../../../src/encode/otlp-json.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'

const before = '{"resourceLogs":['
const after = ']}'
const BACKOFF_MILLIS = 200

/** Posts the lines of the File Exporter, many to a request, again and again until somebody has taken them. */
export function otlpLinesExporter(url: string): Exporter {
  return {
    name: 'otlp-lines',
    encoding: otlpJsonLines(),
    schedule: { delayMillis: 200 },
    delivery: { maxExportBatchSize: 512, maxQueueSize: 100_000 },
    batchBytes: 512 * 1024,
    async export(batch) {
      const lines = batch.text().trimEnd().split('\n')
      const body = before + lines.map((line) => line.slice(before.length, -after.length)).join() + after
      for (;;) {
        const status = await post(url, body)
        if (status === 200) return { status: 'accepted' }
        // Without an answer it may have arrived, and is sent again all the same.
        if (status !== undefined && status !== 503) return { status: 'rejected', accepted: 0, reason: 'rejected' }
        await sleep(BACKOFF_MILLIS)
      }
    },
  }
}

/** The status of the answer; undefined: there was none. */
async function post(url: string, body: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    await response.text()
    return response.status
  } catch {
    return undefined
  }
}
