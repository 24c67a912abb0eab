import type { Check } from '../options/option-checks.ts'
import { member } from '../options/own-members.ts'

/** The shapes of OpenTelemetry's metrics API as far as self-metrics need them: every 1.x of it fits. */

/** Attributes of a measurement. */
export type MetricAttributes = Readonly<Record<string, string | number>>

/** Takes what a callback has read. */
export interface ObservableResult {
  /** Says a value, of the attributes that it belongs to. */
  observe(value: number, attributes?: MetricAttributes): void
}

/** An instrument that is read when a reader collects. */
export interface ObservableInstrument {
  /** Has a function called whenever a reader collects. */
  addCallback(callback: (result: ObservableResult) => void): void
}

/** An instrument that takes single measurements. */
export interface Histogram {
  /** Takes a measurement, in the unit of the instrument. */
  record(value: number, attributes?: MetricAttributes): void
}

/** What an instrument is made with. */
export interface InstrumentOptions {
  /** What is measured, for people. */
  readonly description?: string
  /** The unit, as UCUM writes it: `s`, `By`, `{record}`. */
  readonly unit?: string
  /** The buckets of a histogram, where no view says others; an empty list: only count and sum. */
  readonly advice?: { explicitBucketBoundaries?: number[] }
}

/** Makes instruments. */
export interface Meter {
  /** Makes an instrument for what only grows. */
  createObservableCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  /** Makes an instrument for what grows and shrinks. */
  createObservableUpDownCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  /** Makes an instrument for the spread of measurements. */
  createHistogram(name: string, options?: InstrumentOptions): Histogram
}

/** A provider of meters: `metrics.getMeterProvider()`, or an SDK's own. */
export interface MeterProvider {
  /** The meter of an instrumentation scope. */
  getMeter(name: string, version?: string): Meter
}

/** Whether an option is one. */
export const aMeterProvider: Check = (value, where, problems) => {
  if (
    typeof value === 'object' &&
    value !== null &&
    typeof member(value as { getMeter?: unknown }, 'getMeter') === 'function'
  )
    return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a MeterProvider of OpenTelemetry' })
}
