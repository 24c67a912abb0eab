import type * as fc from 'fast-check'

/** One way in for data, and what must hold for whatever comes that way. */
export interface Target<I> {
  /** Names its inputs in the corpus. */
  readonly name: string
  /** Plain data: an input is saved as JSON, and made into what it describes when it is checked. */
  readonly input: fc.Arbitrary<I>
  /** Throws what does not hold. */
  check(input: I): void | Promise<void>
}

/** Ties an input to its check. */
export function target<I>(name: string, input: fc.Arbitrary<I>, check: Target<I>['check']): Target<unknown> {
  const own: Target<I> = { name, input, check }
  return own
}
