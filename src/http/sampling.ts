/** Lets a share of what it is asked about through, evenly: of 0.25 each fourth, whatever the clock or chance says. */
export class Sampler {
  #owed = 0

  /** `share`: 0 to 1. */
  keeps(share: number): boolean {
    this.#owed += share
    // Sums of shares such as 0.1 stay a little below the whole that they are.
    if (this.#owed < 1 - 1e-9) return false
    this.#owed -= 1
    return true
  }
}
