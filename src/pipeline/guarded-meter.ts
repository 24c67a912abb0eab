import { callUserCallback, handleRejection, requireSynchronous } from '../options/observe-promise.ts'
import type { Histogram, InstrumentOptions, Meter, MeterProvider, ObservableInstrument } from './meter.ts'

/**
 * Returns a meter that uses the meter of a user's MeterProvider. If the user's `observe` or `record` throws or rejects, or `addCallback`
 * rejects, `onFailure` is called, and the caller gets no error. Exceptions of `addCallback` and of the functions that create instruments
 * propagate to the caller; if one of these functions returns a promise, the caller gets a TypeError.
 *
 * @param version - the version of this package
 * @throws whatever `getMeter` throws, and a TypeError if it returns a promise
 */
export function guardedMeter(provider: MeterProvider, version: string, onFailure: () => void): Meter {
  const meter = requireSynchronous(provider.getMeter('sluice', version), 'getMeter')
  return {
    createObservableCounter: (name, options) =>
      guardObservable(
        requireSynchronous(meter.createObservableCounter(name, options), 'createObservableCounter'),
        onFailure,
      ),
    createObservableUpDownCounter: (name, options) =>
      guardObservable(
        requireSynchronous(meter.createObservableUpDownCounter(name, options), 'createObservableUpDownCounter'),
        onFailure,
      ),
    createHistogram: (name, options) => guardHistogram(meter, name, options, onFailure),
  }
}

function guardObservable(instrument: ObservableInstrument, onFailure: () => void): ObservableInstrument {
  type Callback = Parameters<ObservableInstrument['addCallback']>[0]
  return {
    addCallback(callback) {
      const guardedCallback: Callback = (result) =>
        callback({
          observe: (...measurement) => callUserCallback((...args) => result.observe(...args), measurement, onFailure),
        })
      handleRejection(instrument.addCallback(guardedCallback), onFailure)
    },
  }
}

function guardHistogram(
  meter: Meter,
  name: string,
  options: InstrumentOptions | undefined,
  onFailure: () => void,
): Histogram {
  const userHistogram = requireSynchronous(meter.createHistogram(name, options), 'createHistogram')
  return {
    record: (...measurement) => callUserCallback((...args) => userHistogram.record(...args), measurement, onFailure),
  }
}
