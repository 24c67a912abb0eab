import { member, ownCopy } from '../options/own-members.ts'
import { plainLines } from '../encode/plain-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { isThenable } from '../pipeline/guarded-exporter.ts'
import { listenForErrors } from '../options/listen-for-errors.ts'
import { callBack, disownPromise, onRejection } from '../options/observe-promise.ts'
import { errorCode } from './fd/write-errors.ts'

/** A stream that takes text: Node's `stream.Writable`, or what has as much of it. */
export interface TextStream {
  /** Takes text. Returns whether it takes more before it says `drain`. */
  write(text: string): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  removeListener(event: string, listener: () => void): unknown
  readonly destroyed?: boolean
  readonly writableEnded?: boolean
  /** A terminal: what is formatted for it may have colors. */
  readonly isTTY?: boolean
  getColorDepth?(environment?: object): number
}

const accepted: ExportResult = { status: 'accepted' }
const refused: ExportResult = { status: 'rejected', accepted: 0, reason: 'io_error' }

/**
 * Gives text to a stream of the user's. `written` means that the stream has it; what becomes of it there, only the stream
 * knows. A stream that asks to wait is waited for, except where no event loop turns. It is never ended.
 */
export function streamExporter(
  stream: TextStream,
  options: Pick<Exporter, 'schedule' | 'batchBytes'> & { readonly delivery: Delivery },
): Exporter {
  const { schedule, delivery, batchBytes } = ownCopy(options)
  let host: ExporterHost | undefined
  let unlisten: (() => void) | undefined
  let failed = false
  /** What the stream has and asks to wait behind. */
  let waiting: { readonly batch: EncodedBatch; readonly done: () => void } | undefined

  function onError(error?: unknown): void {
    failed = true
    waiting?.done()
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)}); later records are lost`)
  }

  /** An asynchronous `write` that rejects has lost this batch; unlike an `error` event, it does not say that all is over. */
  function failedLater(error: unknown): ExportResult {
    host?.reportDiagnostic('SLUICE_WRITE_FAILED', `stream: cannot write (${errorCode(error)})`)
    return refused
  }

  /** Whether the stream takes more; undefined: it has not taken this. A promise if `write` is asynchronous. */
  function give(batch: EncodedBatch): unknown {
    if (failed || member(stream, 'destroyed') || member(stream, 'writableEnded')) return undefined
    try {
      // A copy: the stream may keep it.
      return stream.write(batch.text())
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  /** A stream that fails here may have been closed; it gets nothing more. */
  function remove(event: string, listener: () => void): void {
    callBack(
      () => stream.removeListener(event, listener),
      [],
      () => {},
    )
  }

  function wait(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    return new Promise((resolve) => {
      const events = ['drain', 'close'] as const
      const done = () => {
        for (const event of events) remove(event, done)
        signal?.removeEventListener('abort', done)
        waiting = undefined
        resolve(accepted)
      }
      waiting = { batch, done }
      for (const event of events) disownPromise(stream.once(event, done))
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
      const takesMore = give(batch)
      if (takesMore === undefined) return refused
      if (isThenable(takesMore)) return Promise.resolve(takesMore).then(() => accepted, failedLater)
      return takesMore ? accepted : wait(batch, signal)
    },
    exportSync(batch) {
      if (waiting?.batch === batch) {
        waiting.done()
        return accepted
      }
      const takesMore = give(batch)
      onRejection(takesMore, onError)
      return takesMore === undefined ? refused : accepted
    },
    async shutdown() {
      waiting?.done()
      unlisten?.()
    },
  }
}
