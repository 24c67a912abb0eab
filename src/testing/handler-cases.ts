import type { HandlerHarness } from './handler-harness.ts'
import { hostile, oddSamples, usualSamples } from './handler-samples.ts'

/** One part of the contract, and how it is looked at. The labs are new for each. */
export interface HandlerCase {
  /** What a handler does that keeps it. */
  readonly rule: string
  /** `other` is a lab of the same decorator, in front of another handler. */
  readonly run: (lab: HandlerHarness, other: () => HandlerHarness) => void
}

/** How many records a handler may have seen that waits for some to come. */
const many = 300

/** What `Handler` asks of those who write one, as far as it can be seen from outside. */
export const handlerCases: readonly HandlerCase[] = [
  {
    rule: 'hands on the record that it was given, at most once and before it returns, or leaves it out',
    run(lab) {
      for (const sample of usualSamples) lab.say(sample)
    },
  },
  {
    rule: 'lets go of a record when it has returned, however many come',
    run(lab) {
      for (let count = 0; count < many; count++) lab.say(usualSamples[count % usualSamples.length]!)
    },
  },
  {
    rule: 'throws nothing of its own, whatever a record holds',
    run(lab) {
      for (const sample of oddSamples) lab.say(sample)
    },
  },
  {
    rule: 'takes a record that is logged while it hands another one on',
    run(lab) {
      lab.encode = () => {
        lab.encode = () => {}
        lab.say(usualSamples[0]!)
        lab.encode = again
      }
      const again = lab.encode
      for (const sample of usualSamples) lab.say(sample)
    },
  },
  {
    rule: 'is as before when the next handler has thrown, as at the end of the stack',
    run(lab) {
      lab.encode = () => {
        throw hostile
      }
      for (const sample of usualSamples) lab.say(sample)
      lab.encode = () => {}
      for (const sample of usualSamples) lab.say(sample)
    },
  },
  {
    rule: 'hands on to the handler that it was made with',
    run(lab, other) {
      const second = other()
      for (const sample of usualSamples) {
        lab.say(sample)
        second.say(sample)
      }
    },
  },
]
