import type { HandlerHarness } from './handler-harness.ts'
import { toleratedError, unusualSamples, usualSamples } from './handler-samples.ts'

/** A rule of the contract and its check. Each case gets new harnesses. */
export interface HandlerCase {
  /** The rule that a conforming handler follows. */
  readonly rule: string
  /** Runs the case. `createOther` creates a harness for the same decorator with another next handler. */
  readonly run: (harness: HandlerHarness, createOther: () => HandlerHarness) => void
}

/** The longest time for which a handler is likely to collect records, in ms. */
const longTime = 3_600_000

/** The number of records to log: more than a handler that collects records is likely to collect before it uses them. */
const recordCount = 300

/** The rules of the `Handler` contract that can be checked from outside. */
export const handlerCases: readonly HandlerCase[] = [
  {
    rule: 'passes on the record that it received, at most once and before it returns, or omits it',
    run(harness) {
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'does not use a record after it has returned',
    run(harness) {
      for (let count = 0; count < recordCount; count++) harness.log(usualSamples[count % usualSamples.length]!)
    },
  },
  {
    rule: 'throws no error of its own, whatever a record contains',
    run(harness) {
      for (const sample of unusualSamples) harness.log(sample)
    },
  },
  {
    rule: 'accepts a record that is logged while it passes on another one',
    run(harness) {
      harness.encode = () => {
        harness.encode = () => {}
        harness.log(usualSamples[0]!)
        harness.encode = logNested
      }
      const logNested = harness.encode
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'works as before after the next handler has thrown, as at a stack overflow',
    run(harness) {
      harness.encode = () => {
        throw toleratedError
      }
      for (const sample of usualSamples) harness.log(sample)
      harness.encode = () => {}
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'emits valid records, at its timers and flushes too, and throws no error there',
    run(harness) {
      for (const sample of [...usualSamples, ...usualSamples, ...unusualSamples]) harness.log(sample)
      harness.host.advance(longTime)
      for (const sample of usualSamples) harness.log(sample)
      harness.host.flush()
    },
  },
  {
    rule: 'writes what it has held back once: a second flush without records in between emits none',
    run(harness) {
      for (let count = 0; count < recordCount; count++) harness.log(usualSamples[count % usualSamples.length]!)
      harness.host.flush()
      const { emitCount } = harness.host
      harness.host.flush()
      if (harness.host.emitCount > emitCount) harness.addFault('emitted records at a second flush')
    },
  },
  {
    rule: 'accepts a flush and a timer while it passes on a record, as a log call at fatal does',
    run(harness) {
      harness.encode = () => {
        harness.encode = () => {}
        harness.host.flush()
        harness.host.advance(longTime)
        harness.encode = flushNested
      }
      const flushNested = harness.encode
      for (const sample of [...usualSamples, ...usualSamples]) harness.log(sample)
    },
  },
  {
    rule: 'throws no error of its own when the clock jumps',
    run(harness) {
      for (const millis of [0, 1, -longTime, longTime * 48, -longTime]) {
        harness.host.time += millis
        for (const sample of [...usualSamples, ...usualSamples]) harness.log(sample)
      }
      harness.host.advance(longTime)
      harness.host.flush()
    },
  },
  {
    rule: 'passes records on to the handler that it was created with',
    run(harness, createOther) {
      const second = createOther()
      for (const sample of usualSamples) {
        harness.log(sample)
        second.log(sample)
      }
    },
  },
]
