import { member, ownCopy } from '../options/own-members.ts'
import { plainLines } from '../encode/plain-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'
import { listenForErrors } from '../options/listen-for-errors.ts'
import { callBack, ignoreRejection, onRejection } from '../options/observe-promise.ts'
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

const accepted: ExportResult = { status: 'accepted' }
const refused: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }

/**
 * Creates an exporter that writes text to a stream owned by the user. A record counts as written when the stream has accepted
 * it, since its later outcome is unknown. If `write` returns false the exporter waits for `drain`, except while the event loop
 * does not run. The stream is never ended.
 */
export function streamExporter(
  stream: TextStream,
  options: Pick<Exporter, 'schedule' | 'batchBytes'> & { readonly delivery: Delivery },
): Exporter {
  const { schedule, delivery, batchBytes } = ownCopy(options)
  let host: ExporterHost | undefined
  let unlisten: (() => void) | undefined
  let hasFailed = false
  /** The batch that the stream has accepted, while the exporter waits for `drain`. */
  let pendingWrite: { readonly batch: EncodedBatch; readonly done: () => void } | undefined

  function onError(error?: unknown): void {
    hasFailed = true
    pendingWrite?.done()
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)}); later records are lost`)
  }

  /**
   * Handles an asynchronous `write` that rejects: this batch is lost, but unlike after an `error` event, later writes are still
   * attempted.
   */
  function onRejectedWrite(error: unknown): ExportResult {
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)})`)
    return refused
  }

  /**
   * Returns whether the stream accepts more, or undefined if it has not accepted this batch. Returns a promise if `write` is
   * asynchronous.
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

  /** Removes a listener. Ignores errors: the stream may have been closed, and is not written to again. */
  function detach(event: string, listener: () => void): void {
    callBack(
      () => stream.removeListener(event, listener),
      [],
      () => {},
    )
  }

  function waitForDrain(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    return new Promise((resolve) => {
      const events = ['drain', 'close'] as const
      const done = () => {
        for (const event of events) detach(event, done)
        signal?.removeEventListener('abort', done)
        pendingWrite = undefined
        resolve(accepted)
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
    start(given) {
      host = given
      unlisten = listenForErrors(stream, onError)
    },
    export(batch, signal) {
      const acceptsMore = writeToStream(batch)
      if (acceptsMore === undefined) return refused
      if (isThenable(acceptsMore)) return Promise.resolve(acceptsMore).then(() => accepted, onRejectedWrite)
      return acceptsMore ? accepted : waitForDrain(batch, signal)
    },
    exportSync(batch) {
      if (pendingWrite?.batch === batch) {
        pendingWrite.done()
        return accepted
      }
      const acceptsMore = writeToStream(batch)
      onRejection(acceptsMore, onError)
      return acceptsMore === undefined ? refused : accepted
    },
    async shutdown() {
      pendingWrite?.done()
      unlisten?.()
    },
  }
}
