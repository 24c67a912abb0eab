import type { Writable } from 'node:stream'
import type { Delivery, EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../../pipeline/exporter.ts'
import type { Encoding } from '../../../encode/encoding.ts'
import { handleRejection } from '../../../options/observe-promise.ts'
import { listenForErrors } from '../../../options/listen-for-errors.ts'
import { thrownName } from '../../../values/thrown-marker.ts'
import { member } from '../../../options/own-members.ts'

/**
 * Creates an exporter that writes to a user's stream, one batch at a time: the next one is written after the stream has accepted the last
 * one. The stream is never ended.
 */
export function streamExporter(stream: Writable, delivery: Delivery, encoding: Encoding): Exporter {
  let host: ExporterHost | undefined
  let pendingBatch: EncodedBatch | undefined
  let unlisten: (() => void) | undefined

  function reportFailure(error: unknown): ExportResult {
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: ${thrownName(error)}`)
    return { status: 'rejected', accepted: 0, reason: 'io_error' }
  }

  /** Reports an error of the stream. Without a listener, the error would end the process. */
  const onError = (error: unknown) => void reportFailure(error)

  function write(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    const { promise, resolve } = Promise.withResolvers<ExportResult>()
    pendingBatch = batch
    const result: unknown = stream.write(batch.text(), (error) => {
      pendingBatch = undefined
      resolve(error ? { status: 'rejected', accepted: 0, reason: 'io_error' } : { status: 'accepted' })
    })
    // Custom streams can have an asynchronous `write`.
    handleRejection(result, onError)
    // An empty buffer means that the stream has already written the batch.
    if ((member(stream, 'writableLength') ?? 0) > 0 || member(stream, 'destroyed')) return promise
    pendingBatch = undefined
    return { status: 'accepted' }
  }

  return {
    name: 'stream',
    encoding,
    schedule: 'sync',
    delivery,
    start(exporterHost) {
      host = exporterHost
      unlisten = listenForErrors(stream, onError)
    },
    export(batch) {
      try {
        return write(batch)
      } catch (error) {
        return reportFailure(error)
      }
    },
    exportSync(batch, _, final) {
      // The result of a batch arrives only through the event loop.
      if (!final) return { status: 'retryable', accepted: 0 }
      // The stream already has the pending batch. Others are written now; the result is known only if the stream writes them at once.
      if (pendingBatch === batch) return { status: 'unknown', accepted: 0 }
      try {
        const result = write(batch)
        return result instanceof Promise ? { status: 'unknown', accepted: 0 } : result
      } catch (error) {
        return reportFailure(error)
      }
    },
    async shutdown() {
      unlisten?.()
    },
  }
}
