import { foreignMemoryOptionNames } from '../../options/foreign-exporter-names.ts'
import { jsonLines } from '../../encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { integer } from '../../options/option-checks.ts'
import { copyAndCheckOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'

/** A record in the default layout, parsed. */
export interface MemoryRecord {
  /** RFC 3339 with milliseconds. */
  readonly timestamp: string
  /** The level's name. */
  readonly level: string
  /** The message; undefined if the record has none. */
  readonly message?: string
  /** The attributes as they are encoded in the line; undefined if the record has none. */
  readonly attributes?: Readonly<Record<string, unknown>>
  /** The other fields of the line, such as `trace_id`, `otel.scope.name` and `exception.type`. */
  readonly [field: string]: unknown
}

/** Options of `memoryExporter`. */
export interface MemoryExporterOptions extends Delivery {
  /**
   * The maximum number of records in memory. When it is exceeded, the oldest are evicted.
   *
   * @defaultValue 10,000
   */
  readonly maxRecords?: number
}

/** An exporter that keeps records in memory. */
export interface MemoryExporter extends Exporter {
  /** The records, oldest first, redacted and encoded like any line. It is always the same array. */
  readonly records: readonly MemoryRecord[]
  /** The number of records evicted because there were more than `maxRecords`. */
  readonly evicted: number
  /** Removes all records and resets `evicted`. */
  clear(): void
}

/**
 * Creates an exporter that keeps parsed records in memory, for tests and for inspecting the latest records. A record is
 * available when the log call returns. It then counts as written, even if it is evicted later.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function memoryExporter(options: MemoryExporterOptions = {}): MemoryExporter {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'memoryExporter',
    options,
    { ...deliverySchema, maxRecords: integer(1) },
    [],
    foreignMemoryOptionNames,
    { 'a number': 'memoryExporter({ maxRecords: 100 })' },
  )
  throwIfInvalid(problems)
  const { maxRecords = 10_000 } = checkedOptions
  const records: MemoryRecord[] = []
  let evicted = 0
  let isClosed = false

  function store(batch: EncodedBatch): ExportResult {
    // OpenTelemetry specification: an export after the shutdown should fail.
    if (isClosed) return { status: 'rejected', accepted: 0, reason: 'rejected' }
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
    delivery: pickDeliveryOptions(checkedOptions),
    records,
    get evicted() {
      return evicted
    },
    export: store,
    exportSync: store,
    async shutdown() {
      isClosed = true
    },
    clear() {
      records.length = 0
      evicted = 0
    },
  }
}
