import { member, withoutPrototype } from '../options/own-members.ts'
import { plainLines } from '../encode/plain-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'
import { listenForErrors } from '../options/listen-for-errors.ts'
import { callUserCallback, ignoreRejection, handleRejection } from '../options/observe-promise.ts'
import { errorCode } from './fd/write-errors.ts'

/** A text stream: Node's `stream.Writable`, or any object with these members. */
export interface TextStream {
  /** Writes text. Returns false if the caller should wait for `drain` before the next write. */
  write(text: string): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  removeListener(event: string, listener: () => void): unknown
  readonly destroyed?: boolean
  readonly writableEnded?: boolean
  /** Whether the stream is a terminal. Pretty output to a terminal may use colors. */
  readonly isTTY?: boolean
  getColorDepth?(environment?: object): number
}

const acceptedResult: ExportResult = { status: 'accepted' }
const unknownResult: ExportResult = { status: 'unknown', accepted: 0 }
const rejectedResult: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }

/**
 * Creates an exporter that writes text to a stream owned by the user. A record counts as written when the stream has accepted it,
 * because what the stream does with it later is unknown. If `write` returns false, the exporter waits for `drain`, except while the
 * event loop does not run. The stream is never ended.
 */
export function streamExporter(
  stream: TextStream,
  options: Pick<Exporter, 'schedule' | 'batchBytes'> & { readonly delivery: Delivery },
): Exporter {
  const { schedule, delivery, batchBytes } = withoutPrototype(options)
  let host: ExporterHost | undefined
  let stopListening: (() => void) | undefined
  let hasFailed = false
  /** The batch that the stream has accepted; undefined unless the exporter waits for `drain`. */
  let pendingWrite: { readonly batch: EncodedBatch; readonly done: () => void } | undefined

  function onError(error?: unknown): void {
    hasFailed = true
    pendingWrite?.done()
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)}); later records are lost`)
  }

  /**
   * Handles an asynchronous `write` that rejects: its batch is lost, but unlike after an `error` event, later writes are
   * attempted.
   */
  function onRejectedWrite(error: unknown): ExportResult {
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)})`)
    return rejectedResult
  }

  /**
   * Writes a batch. Returns whether the stream accepts more, or undefined if it has not accepted this batch. Returns a promise if
   * `write` is asynchronous.
   */
  function writeToStream(batch: EncodedBatch): unknown {
    if (hasFailed || member(stream, 'destroyed') || member(stream, 'writableEnded')) return undefined
    try {
      // Pass a copy, because the stream may keep it.
      return stream.write(batch.text())
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  /** Removes a listener. Errors are ignored, because the stream may already be closed. */
  function removeListener(event: string, listener: () => void): void {
    callUserCallback(
      () => stream.removeListener(event, listener),
      [],
      () => {},
    )
  }

  /** Waits until the stream accepts more, is closed or fails, or the export is aborted. The batch is accepted in each case. */
  function waitForDrain(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    return new Promise((resolve) => {
      const events = ['drain', 'close'] as const
      const done = () => {
        for (const event of events) removeListener(event, done)
        signal?.removeEventListener('abort', done)
        pendingWrite = undefined
        resolve(acceptedResult)
      }
      pendingWrite = { batch, done }
      for (const event of events) ignoreRejection(stream.once(event, done))
      signal?.addEventListener('abort', done)
    })
  }

  return {
    name: 'stream',
    encoding: plainLines(),
    schedule,
    delivery,
    ...(batchBytes !== undefined && { batchBytes }),
    start(exporterHost) {
      host = exporterHost
      stopListening = listenForErrors(stream, onError)
    },
    export(batch, signal) {
      const acceptsMore = writeToStream(batch)
      if (acceptsMore === undefined) return rejectedResult
      if (isThenable(acceptsMore)) return Promise.resolve(acceptsMore).then(() => acceptedResult, onRejectedWrite)
      return acceptsMore ? acceptedResult : waitForDrain(batch, signal)
    },
    exportSync(batch) {
      if (pendingWrite?.batch === batch) {
        pendingWrite.done()
        return acceptedResult
      }
      const acceptsMore = writeToStream(batch)
      // The result of an asynchronous write arrives only through the event loop.
      if (handleRejection(acceptsMore, onRejectedWrite)) return unknownResult
      return acceptsMore === undefined ? rejectedResult : acceptedResult
    },
    async shutdown() {
      pendingWrite?.done()
      stopListening?.()
    },
  }
}
