import * as api from '@opentelemetry/api'
import * as resources from '@opentelemetry/resources'
import * as sdk from '@opentelemetry/sdk-logs'
import type {
  EmittedLogRecord,
  OtelExportResult,
  OtelResource,
  ReadableLogRecord,
} from '../../../src/otel/api/types.ts'
import { api as oldApi, sdkLogs as oldSdk } from '../../legacy-otel/index.ts'

/** The parts of an SDK that the tests use. The types of the two major versions are incompatible. */
export interface Sdk {
  readonly name: string
  readonly api: typeof api
  readonly LoggerProvider: new (options: {
    readonly processors: readonly object[]
    readonly resource?: object
    readonly logRecordLimits?: { readonly attributeCountLimit?: number }
  }) => Provider
  readonly BatchLogRecordProcessor: new (options: object) => OfficialProcessor
  readonly SimpleLogRecordProcessor: new (options: object) => OfficialProcessor
  readonly InMemoryLogRecordExporter: new () => OfficialExporter & { getFinishedLogRecords(): ReadableLogRecord[] }
}

export interface Provider {
  getLogger(name: string, version?: string, options?: object): { emit(record: EmittedLogRecord): void }
  forceFlush(options?: object): Promise<void>
  shutdown(): Promise<void>
}

export interface OfficialProcessor {
  onEmit(record: unknown, context?: unknown): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

export interface OfficialExporter {
  export(records: ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

const sdkOf = (name: string, ofApi: unknown, ofSdk: unknown): Sdk => ({ name, api: ofApi, ...(ofSdk as object) }) as Sdk

/** Both major versions of OpenTelemetry's JavaScript SDK. */
export const sdks: readonly Sdk[] = [sdkOf('sdk-logs 3.x', api, sdk), sdkOf('sdk-logs 0.2xx', oldApi, oldSdk)]

/** Returns a resource of the SDK, whose attributes may be promises. */
export function resourceWith(attributes: object): OtelResource {
  return resources.resourceFromAttributes(attributes as never)
}

/** An SDK exporter that stores its batches, and calls back when the test calls `answer()`, or immediately. */
export class StallingOtelExporter implements OfficialExporter {
  readonly batches: ReadableLogRecord[][] = []
  /** The called methods, in order. */
  readonly calls: string[] = []
  flushes = 0
  shutdowns = 0
  /** The number of exports in flight, and its maximum. */
  open = 0
  maxOpen = 0
  private respondsImmediately: boolean
  private readonly callbacks: ((result: OtelExportResult) => void)[] = []
  private readonly waiters: { readonly calls: number; readonly resolve: () => void }[] = []

  constructor(answersAtOnce = false) {
    this.respondsImmediately = answersAtOnce
  }

  export(records: ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void {
    this.calls.push('export')
    this.batches.push(records)
    this.maxOpen = Math.max(this.maxOpen, ++this.open)
    this.callbacks.push((result) => {
      this.open--
      resultCallback(result)
    })
    if (this.respondsImmediately) this.respond()
    for (const { calls, resolve } of this.waiters) if (this.batches.length >= calls) resolve()
  }

  async forceFlush(): Promise<void> {
    this.calls.push('forceFlush')
    this.flushes++
  }

  async shutdown(): Promise<void> {
    this.calls.push('shutdown')
    this.shutdowns++
  }

  /** Completes the oldest export in flight. */
  respond(result: OtelExportResult = { code: 0 }): void {
    this.callbacks.shift()!(result)
  }

  /** Completes the exports in flight, and later ones immediately. */
  resume(): void {
    this.respondsImmediately = true
    while (this.callbacks.length > 0) this.respond()
  }

  /** Waits until `export` was called this many times. */
  called(calls: number): Promise<void> {
    if (this.batches.length >= calls) return Promise.resolve()
    return new Promise((resolve) => this.waiters.push({ calls, resolve }))
  }

  /** The number of records in each batch. */
  get sizes(): number[] {
    return this.batches.map(({ length }) => length)
  }

  /** The bodies of all records. */
  get bodies(): unknown[] {
    return this.batches.flat().map(({ body }) => body)
  }
}

/** Returns the numbers from `from` up to `to`, exclusive. */
export function numbers(to: number, from = 0): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** Waits for one turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A record of an SDK without body, severity and attributes. */
export const sdkRecord = {
  hrTime: [1, 0] as [number, number],
  hrTimeObserved: [1, 0] as [number, number],
  resource: { attributes: {} },
  instrumentationScope: { name: 'a' },
  attributes: {},
  droppedAttributesCount: 0,
}
