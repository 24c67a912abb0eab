import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { LogStore } from '../store/log-store.ts'
import { LogView } from '../views/log-view.ts'
import type { ViewFilter } from '../views/view-filter.ts'
import { otlpLines } from './otlp-lines.ts'

/** The time between two looks for new records, in ms. */
const followMillis = 100
/** How long records are tested before other requests are answered, in ms. */
const sliceMillis = 15
/** How many records are written before the client must have received them. */
const stepRecords = 100

/**
 * Sends all records that match, and then new ones, until the client closes the connection: each as a request of OTLP/JSON in a line. Nothing is
 * queued for a slow client. It misses the records that are removed from the store before it reads them.
 */
export async function followLogs(store: LogStore, filter: ViewFilter, response: ServerResponse): Promise<void> {
  const view = new LogView(store, filter)
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.flushHeaders()
  let isStarted = false
  while (!response.destroyed) {
    const end = performance.now() + sliceMillis
    // Old records are found from the newest to the oldest, and sent in the order of their times.
    if (isStarted) view.update(() => performance.now() > end)
    else view.updateOld(() => performance.now() > end)
    isStarted ||= view.untestedOld === 0
    if (isStarted) await sendRows(store, view.takeRows().sequences, response)
    if (view.untested > 0) await setImmediate()
    else await setTimeout(followMillis)
  }
}

async function sendRows(store: LogStore, sequences: Float64Array, response: ServerResponse): Promise<void> {
  for (let at = 0; at < sequences.length && !response.destroyed; at += stepRecords) {
    const lines = otlpLines(store, sequences.subarray(at, at + stepRecords))
    if (lines.length === 0) continue
    response.write(lines.join(''))
    await drained(response)
  }
}

/** Waits until the client has received most of what was written, or has closed the connection. */
async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
