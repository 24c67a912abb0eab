/** How many values are kept exactly before they are counted in buckets. */
const maxExactValues = 256
/** The largest relative error of a quantile. */
const relativeError = 0.005
const bucketRatio = (1 + relativeError) / (1 - relativeError)
const logBucketRatio = Math.log(bucketRatio)

/** Limits the number of buckets of all distributions, and so their memory. */
export class BucketBudget {
  remaining: number

  constructor(buckets: number) {
    this.remaining = buckets
  }
}

/**
 * The distribution of numbers of any magnitude. Its quantiles are exact for up to 256 numbers. For more, the numbers are counted in
 * buckets whose bounds have a constant ratio, so that a quantile differs from the exact one by at most 0.5 %.
 */
export class NumberDistribution {
  count = 0
  min: number = Infinity
  max: number = -Infinity
  private sum = 0
  private exact: number[] | undefined = []
  private readonly buckets = new Map<number, number>()
  private readonly budget: BucketBudget
  /** Numbers that are not in a bucket because the budget is used up. */
  private uncounted = 0

  constructor(budget: BucketBudget) {
    this.budget = budget
  }

  get mean(): number {
    return this.count === 0 ? NaN : this.sum / this.count
  }

  /** Whether there was not enough memory for the quantiles. */
  get isIncomplete(): boolean {
    return this.uncounted > 0
  }

  add(value: number): void {
    this.count++
    this.sum += value
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
    if (this.exact === undefined) this.addToBucket(value)
    else if (this.exact.push(value) > maxExactValues) {
      for (const one of this.exact) this.addToBucket(one)
      this.exact = undefined
    }
  }

  /**
   * Returns a quantile by the nearest rank: the smallest number that is not less than this part of all numbers. Returns NaN if there are
   * no numbers, or if they are not all counted.
   *
   * @param part - from 0 to 1, such as 0.95
   */
  quantile(part: number): number {
    if (this.count === 0 || this.isIncomplete) return NaN
    const rank = Math.max(1, Math.ceil(part * this.count))
    if (this.exact !== undefined) return this.exact.toSorted((one, other) => one - other)[rank - 1]!
    // The first and the last number are known exactly.
    if (rank === 1) return this.min
    if (rank === this.count) return this.max
    let counted = 0
    for (const [bucket, count] of [...this.buckets].toSorted(([one], [other]) => one - other)) {
      counted += count
      if (counted >= rank) return Math.min(this.max, Math.max(this.min, bucketValue(bucket)))
    }
    return this.max
  }

  private addToBucket(value: number): void {
    const bucket = bucketOf(value)
    const count = this.buckets.get(bucket)
    if (count === undefined) {
      if (this.budget.remaining <= 0) {
        this.uncounted++
        return
      }
      this.budget.remaining--
    }
    this.buckets.set(bucket, (count ?? 0) + 1)
  }
}

/**
 * The number that is added to the index of a bucket, so that the indexes of positive numbers are positive and those of negative numbers are
 * their opposites. The smallest number, 5e-324, has the index -74,444.
 */
const indexOffset = 100_000

function bucketOf(value: number): number {
  if (value === 0) return 0
  const index = Math.ceil(Math.log(Math.abs(value)) / logBucketRatio) + indexOffset
  return value < 0 ? -index : index
}

/** Returns the number in a bucket whose relative difference from both bounds is the same. */
function bucketValue(bucket: number): number {
  if (bucket === 0) return 0
  const upper = (Math.abs(bucket) - indexOffset) * logBucketRatio
  // The factor is applied to the logarithm, because the bound of the bucket of the largest numbers is infinite.
  const value = Math.exp(upper + Math.log(2 / (1 + bucketRatio)))
  return bucket < 0 ? -value : value
}
