import type { HandlerHarness } from './handler-harness.ts'
import { hostile, oddSamples, usualSamples } from './handler-samples.ts'

/** A rule of the contract and its check. Each case gets new harnesses. */
export interface HandlerCase {
  /** The rule that a conforming handler follows. */
  readonly rule: string
  /** Runs the case. `other` creates a harness for the same decorator with another next handler. */
  readonly run: (harness: HandlerHarness, other: () => HandlerHarness) => void
}

/** The number of records to log, more than a handler that collects records waits for. */
const recordCount = 300

/** The rules of the `Handler` contract that can be checked from outside. */
export const handlerCases: readonly HandlerCase[] = [
  {
    rule: 'hands on the record that it was given, at most once and before it returns, or leaves it out',
    run(harness) {
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'lets go of a record when it has returned, however many come',
    run(harness) {
      for (let count = 0; count < recordCount; count++) harness.log(usualSamples[count % usualSamples.length]!)
    },
  },
  {
    rule: 'throws nothing of its own, whatever a record holds',
    run(harness) {
      for (const sample of oddSamples) harness.log(sample)
    },
  },
  {
    rule: 'takes a record that is logged while it hands another one on',
    run(harness) {
      harness.encode = () => {
        harness.encode = () => {}
        harness.log(usualSamples[0]!)
        harness.encode = again
      }
      const again = harness.encode
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'is as before when the next handler has thrown, as at the end of the stack',
    run(harness) {
      harness.encode = () => {
        throw hostile
      }
      for (const sample of usualSamples) harness.log(sample)
      harness.encode = () => {}
      for (const sample of usualSamples) harness.log(sample)
    },
  },
  {
    rule: 'hands on to the handler that it was made with',
    run(harness, other) {
      const second = other()
      for (const sample of usualSamples) {
        harness.log(sample)
        second.log(sample)
      }
    },
  },
]
