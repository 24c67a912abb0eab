import { jsonLines } from '../../encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { integer } from '../../options/option-checks.ts'
import { checkedOptions, deliveryOf, deliverySchema, refuse } from '../exporter-options.ts'

/** A record as it was written: the default layout's line, parsed. */
export interface MemoryRecord {
  /** RFC 3339, ms. */
  readonly timestamp: string
  /** The level's name. */
  readonly level: string
  /** The message; undefined where the record has none. */
  readonly message?: string
  /** The attributes as the line says them; undefined where the record has none. */
  readonly attributes?: Readonly<Record<string, unknown>>
  /** The other fields of the line, such as `trace_id`, `otel.scope.name`, `exception.type`. */
  readonly [core: string]: unknown
}

/** Options of `memoryExporter`. */
export interface MemoryExporterOptions extends Delivery {
  /** How many records are kept; beyond it the oldest go. Default 10,000. */
  readonly maxRecords?: number
}

/** An exporter that keeps what it is given. */
export interface MemoryExporter extends Exporter {
  /** What was logged, oldest first: the same array each time, redacted and rendered like any line. */
  readonly records: readonly MemoryRecord[]
  /** How many records went because there were more than `maxRecords`. */
  readonly evicted: number
  /** Forgets the records and the count of those that went. */
  clear(): void
}

/**
 * Keeps records in memory, parsed, for tests and for looking at the last ones. A record is there when the log call
 * returns. For the ledger it is written then, also when it is evicted later.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function memoryExporter(options: MemoryExporterOptions = {}): MemoryExporter {
  const { own, problems } = checkedOptions('memoryExporter', options, { ...deliverySchema, maxRecords: integer(1) })
  refuse(problems)
  const { maxRecords = 10_000 } = own
  const records: MemoryRecord[] = []
  let evicted = 0
  let closed = false

  function keep(batch: EncodedBatch): ExportResult {
    // EXP2
    if (closed) return { status: 'rejected', accepted: 0, reason: 'rejected' }
    for (const { text } of batch.records()) records.push(JSON.parse(text) as MemoryRecord)
    if (records.length > maxRecords) {
      evicted += records.length - maxRecords
      records.splice(0, records.length - maxRecords)
    }
    return { status: 'accepted' }
  }

  return {
    name: 'memory',
    component: { type: 'memoryExporter' },
    encoding: jsonLines('sluice'),
    schedule: 'sync',
    delivery: deliveryOf(own),
    records,
    get evicted() {
      return evicted
    },
    export: keep,
    exportSync: keep,
    async shutdown() {
      closed = true
    },
    clear() {
      records.length = 0
      evicted = 0
    },
  }
}
