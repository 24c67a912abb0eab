// An exporter of one's own: it hands batches to a service that takes ten records at a time and is sometimes busy.
import { createLogger } from 'sluice'
import { jsonLines, type EncodedBatch, type Exporter, type ExportResult } from 'sluice/exporters'

/** Stands for a service in the network. */
async function send(body: string, signal: AbortSignal | undefined): Promise<number> {
  signal?.throwIfAborted()
  await new Promise((resolve) => setTimeout(resolve, 5))
  return body.includes('"refuse"') ? 413 : 200
}

function serviceExporter(): Exporter {
  return {
    name: 'service',
    // The text of a record is made when it is logged, by this package: redacted before it waits here.
    encoding: jsonLines(),
    schedule: { delayMillis: 10 },
    delivery: { maxExportBatchSize: 10, maxQueueSize: 1_000, exportTimeoutMillis: 5_000 },
    async export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
      const status = await send(batch.text(), signal)
      if (status === 200) return { status: 'accepted' }
      // None of them will ever be taken: the ledger counts them, and the log tells it.
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
