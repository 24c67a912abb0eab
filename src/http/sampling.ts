/** Samples a fraction of the calls evenly and deterministically: with 0.25, every fourth. */
export class Sampler {
  #credit = 0

  /** Returns whether to keep this one. `share` is from 0 to 1. */
  keeps(share: number): boolean {
    this.#credit += share
    // The sum of fractions such as 0.1 can be slightly less than 1 because of rounding.
    if (this.#credit < 1 - 1e-9) return false
    this.#credit -= 1
    return true
  }
}
