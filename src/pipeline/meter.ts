import type { Check } from '../record/option-checks.ts'

/** The shapes of OpenTelemetry's metrics API as far as self-metrics need them: every 1.x of it fits. */

/** Attributes of a measurement. */
export type MetricAttributes = Readonly<Record<string, string | number>>

/** Takes what a callback has read. */
export interface ObservableResult {
  observe(value: number, attributes?: MetricAttributes): void
}

/** An instrument that is read when a reader collects. */
export interface ObservableInstrument {
  addCallback(callback: (result: ObservableResult) => void): void
  removeCallback(callback: (result: ObservableResult) => void): void
}

/** An instrument that takes single measurements. */
export interface Histogram {
  record(value: number, attributes?: MetricAttributes): void
}

/** What an instrument is made with. */
export interface InstrumentOptions {
  readonly description?: string
  readonly unit?: string
  readonly advice?: { explicitBucketBoundaries?: number[] }
}

/** Makes instruments. */
export interface Meter {
  createObservableCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  createObservableUpDownCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  createHistogram(name: string, options?: InstrumentOptions): Histogram
}

/** A provider of meters: `metrics.getMeterProvider()`, or an SDK's own. */
export interface MeterProvider {
  getMeter(name: string, version?: string): Meter
}

/** Whether an option is one. */
export const aMeterProvider: Check = (value, where, problems) => {
  if (typeof value === 'object' && value !== null && 'getMeter' in value && typeof value.getMeter === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a MeterProvider of OpenTelemetry' })
}
