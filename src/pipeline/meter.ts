import type { Check } from '../options/option-checks.ts'
import { member } from '../options/own-members.ts'

// These types are the parts of OpenTelemetry's metrics API that `self-metrics.ts` uses. Every 1.x version of the API matches them.

/** Attributes of a measurement. */
export type MetricAttributes = Readonly<Record<string, string | number>>

/** The result of an observable instrument's callback. */
export interface ObservableResult {
  /** Reports a value with its attributes. */
  observe(value: number, attributes?: MetricAttributes): void
}

/** An instrument that is read when a metric reader collects. */
export interface ObservableInstrument {
  /** Adds a callback that is called whenever a metric reader collects. */
  addCallback(callback: (result: ObservableResult) => void): void
}

/** An instrument that records single measurements. */
export interface Histogram {
  /** Records a measurement, in the unit of the instrument. */
  record(value: number, attributes?: MetricAttributes): void
}

/** Options of an instrument. */
export interface InstrumentOptions {
  /**
   * A human-readable description of the measured value.
   *
   * @defaultValue none
   */
  readonly description?: string
  /**
   * The unit in UCUM notation: `s`, `By`, `{record}`.
   *
   * @defaultValue none
   */
  readonly unit?: string
  /**
   * The bucket boundaries of a histogram, unless a view sets others. With an empty array, only count and sum are recorded.
   *
   * @defaultValue none
   */
  readonly advice?: { explicitBucketBoundaries?: number[] }
}

/** A factory of instruments. */
export interface Meter {
  /** Creates an instrument for a value that only increases. */
  createObservableCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  /** Creates an instrument for a value that increases and decreases. */
  createObservableUpDownCounter(name: string, options?: InstrumentOptions): ObservableInstrument
  /** Creates an instrument for the distribution of measurements. */
  createHistogram(name: string, options?: InstrumentOptions): Histogram
}

/** A provider of meters: `metrics.getMeterProvider()`, or the MeterProvider of an SDK. */
export interface MeterProvider {
  /** Returns the meter of an instrumentation scope. */
  getMeter(name: string, version?: string): Meter
}

/** Checks that an option is a MeterProvider. */
export const meterProviderCheck: Check = (value, where, problems) => {
  if (
    typeof value === 'object' &&
    value !== null &&
    typeof member(value as { getMeter?: unknown }, 'getMeter') === 'function'
  )
    return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an OpenTelemetry MeterProvider' })
}
