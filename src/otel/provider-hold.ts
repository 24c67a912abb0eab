import type { EncodedBatch, Exporter, ExportResult } from '../pipeline/exporter.ts'
import type { Settlement } from './provider-settlement.ts'

/**
 * An exporter that has its first batch wait until the resource is settled. Others stay as they are: lines hold their resource
 * when they come to an exporter, so that waiting would only keep them back.
 */
export function holdUntil(settlement: Settlement, exporter: Exporter): Exporter {
  return settlement.isOver || /^(?:json:|pretty:|otlpJson$)/.test(exporter.encoding.key)
    ? exporter
    : held(settlement, exporter)
}

const unknownResult: ExportResult = { status: 'unknown', accepted: 0 }
const notSent: ExportResult = { status: 'retryable', accepted: 0 }

function held(settlement: Settlement, exporter: Exporter): Exporter {
  const { name, component, encoding, schedule, delivery, batchBytes, destination } = exporter
  /** The batch that waits here. */
  let waiting: EncodedBatch | undefined
  let alive = false

  async function exportLater(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    waiting = batch
    settlement.keepAlive(alive)
    await settlement.wait()
    // `exportSync` may have delivered it meanwhile; then nobody listens to this answer.
    if (waiting !== batch) return { status: 'accepted' }
    waiting = undefined
    return exporter.export(batch, signal)
  }

  const holding: Exporter = {
    name,
    encoding,
    schedule,
    delivery,
    ...(component === undefined ? {} : { component }),
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
    start: (host) => exporter.start?.(host),
    export: (batch, signal) => (settlement.isOver ? exporter.export(batch, signal) : exportLater(batch, signal)),
    abandon: () => (waiting === undefined ? (exporter.abandon?.() ?? unknownResult) : notSent),
    keepAlive(value) {
      alive = value
      if (waiting !== undefined) settlement.keepAlive(value)
      exporter.keepAlive?.(value)
    },
    flush: async () => exporter.flush?.(),
    shutdown: async () => exporter.shutdown?.(),
  }
  if (exporter.exportSync !== undefined) {
    holding.exportSync = (batch, deadline, final) => {
      const result = exporter.exportSync!(batch, deadline, final)
      // The exporter had not seen it before; what it will not take now comes to it by `export` all the same.
      if (result.status !== 'retryable' || final) waiting = undefined
      return result
    }
  }
  return holding
}
