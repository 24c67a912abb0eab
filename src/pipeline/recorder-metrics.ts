import type { Counters } from './counters.ts'
import { addCounter, addUpDownCounter } from './instruments.ts'
import type { Meter, MetricAttributes } from './meter.ts'

/**
 * Creates the instruments of the records of one pipeline that a flight recorder holds. The semantic conventions have none for them, so they
 * have the name of this package. Returns the functions that stop them.
 */
export function addRecorderMetrics(meter: Meter, counters: Counters, attributes: MetricAttributes): (() => void)[] {
  return [
    addUpDownCounter(meter, heldInstrument, attributes, () => counters.recorded),
    addCounter(meter, releasedInstrument, () => [[counters.released, attributes]]),
    addCounter(meter, expiredInstrument, () => [[counters.expired, attributes]]),
  ]
}

const heldInstrument = {
  name: 'sluice.recorder.log.held',
  description: 'The number of log records that the flight recorder holds',
}
const releasedInstrument = {
  name: 'sluice.recorder.log.released',
  description: 'The number of held log records that the flight recorder has released to the queue',
}
const expiredInstrument = {
  name: 'sluice.recorder.log.expired',
  description: 'The number of held log records that the flight recorder has discarded',
}
