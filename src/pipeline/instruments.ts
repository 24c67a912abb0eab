import type { Meter, MetricAttributes, ObservableResult } from './meter.ts'

/** The name and description of an instrument. */
export interface Instrument {
  readonly name: string
  readonly description: string
}

/** A value of an instrument. */
export type Observation = readonly [value: number, attributes: MetricAttributes]

/**
 * Creates a counter. Returns a function to call when the pipeline is closed: the counter then reads `readAfterStop`, because
 * records that are logged later are still counted.
 */
export function addCounter(
  meter: Meter,
  { name, description }: Instrument,
  read: () => readonly Observation[],
  readAfterStop: () => readonly Observation[] = read,
): () => void {
  let currentRead = read
  const callback = (result: ObservableResult) => {
    for (const [value, attributes] of currentRead()) result.observe(value, attributes)
  }
  meter.createObservableCounter(name, { description, unit: '{log_record}' }).addCallback(callback)
  return () => {
    currentRead = readAfterStop
  }
}

/**
 * Creates an up-down counter. Returns a function to call when the pipeline is closed: the value is then 0, because a cumulative
 * reader would repeat the last value if none were observed.
 */
export function addUpDownCounter(
  meter: Meter,
  { name, description }: Instrument,
  attributes: MetricAttributes,
  read: () => number,
): () => void {
  let currentRead = read
  const callback = (result: ObservableResult) => result.observe(currentRead(), attributes)
  meter.createObservableUpDownCounter(name, { description, unit: '{log_record}' }).addCallback(callback)
  return () => {
    currentRead = readZero
  }
}

function readZero(): number {
  return 0
}
