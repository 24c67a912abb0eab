/** The median and the range of repeated measurements. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** Returns the quotients of figures of consecutive runs. */
export function pairwise(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, index) => value / theirs[index]!)
}
