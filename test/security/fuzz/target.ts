import type * as fc from 'fast-check'

/** An interface under test, with the properties that must hold for all inputs. */
export interface Target<I> {
  /** The name of its inputs in the corpus. */
  readonly name: string
  /** Plain data that can be saved as JSON. `check` builds the values that it describes. */
  readonly input: fc.Arbitrary<I>
  /** Throws if a property does not hold. */
  check(input: I): void | Promise<void>
}

/** Creates a target with a typed input. */
export function target<I>(name: string, input: fc.Arbitrary<I>, check: Target<I>['check']): Target<unknown> {
  const own: Target<I> = { name, input, check }
  return own
}
