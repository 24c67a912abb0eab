// A custom exporter: it sends batches of at most ten records to a service, which rejects some of them.
import { createLogger } from 'sluice'
import { jsonLines, type EncodedBatch, type Exporter, type ExportResult } from 'sluice/exporters'

/** Simulates a network service. */
async function send(body: string, signal: AbortSignal | undefined): Promise<number> {
  signal?.throwIfAborted()
  await new Promise((resolve) => setTimeout(resolve, 5))
  return body.includes('"refuse"') ? 413 : 200
}

function serviceExporter(): Exporter {
  return {
    name: 'service',
    // A record is encoded and redacted by this package in the log call, before it is queued.
    encoding: jsonLines(),
    schedule: { delayMillis: 10 },
    delivery: { maxExportBatchSize: 10, maxQueueSize: 1_000, exportTimeoutMillis: 5_000 },
    async export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
      const status = await send(batch.text(), signal)
      if (status === 200) return { status: 'accepted' }
      // A retry cannot help: the records count as `rejected`, and a drop report is logged.
      return { status: 'rejected', accepted: 0, reason: 'rejected' }
    },
  }
}

const log = createLogger({ exporter: serviceExporter() })
for (let i = 0; i < 10; i++) log.info('record', { i })
for (let i = 0; i < 3; i++) log.info('refuse', { i })
const { dropped } = await log.flush()
await log.shutdown()
const { written, queued } = log.stats()
console.log({ written, queued, dropped })
