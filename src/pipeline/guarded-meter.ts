import { callBack, onRejection, synchronous } from '../options/observe-promise.ts'
import type { Histogram, InstrumentOptions, Meter, MeterProvider, ObservableInstrument } from './meter.ts'

/**
 * Returns a meter of a user's MeterProvider whose instruments never throw. `failed` is called if they throw or reject.
 *
 * @throws whatever `getMeter` and the functions that create instruments throw, and a TypeError if they return promises
 */
export function guardedMeter(provider: MeterProvider, version: string, failed: () => void): Meter {
  const meter = synchronous(provider.getMeter('sluice', version), 'getMeter')
  return {
    createObservableCounter: (name, options) =>
      observable(synchronous(meter.createObservableCounter(name, options), 'createObservableCounter'), failed),
    createObservableUpDownCounter: (name, options) =>
      observable(
        synchronous(meter.createObservableUpDownCounter(name, options), 'createObservableUpDownCounter'),
        failed,
      ),
    createHistogram: (name, options) => histogram(meter, name, options, failed),
  }
}

function observable(instrument: ObservableInstrument, failed: () => void): ObservableInstrument {
  type Callback = Parameters<ObservableInstrument['addCallback']>[0]
  return {
    addCallback(callback) {
      const own: Callback = (result) =>
        callback({
          observe: (...measurement) => callBack((...args) => result.observe(...args), measurement, failed),
        })
      onRejection(instrument.addCallback(own), failed)
    },
  }
}

function histogram(meter: Meter, name: string, options: InstrumentOptions | undefined, failed: () => void): Histogram {
  const own = synchronous(meter.createHistogram(name, options), 'createHistogram')
  return { record: (...measurement) => callBack((...args) => own.record(...args), measurement, failed) }
}
