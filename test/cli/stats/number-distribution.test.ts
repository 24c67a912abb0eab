import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { BucketBudget, NumberDistribution } from '../../../src/cli/stats/number-distribution.ts'

const quantiles = [0, 0.5, 0.9, 0.95, 0.99, 1]

function distributionOf(numbers: readonly number[], buckets = Infinity): NumberDistribution {
  const distribution = new NumberDistribution(new BucketBudget(buckets))
  for (const number of numbers) distribution.add(number)
  return distribution
}

function exactQuantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.max(1, Math.ceil(part * numbers.length)) - 1]!
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer(),
  fc.constantFrom(0, -0, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, 1, 10, 1e6),
)

describe('NumberDistribution', () => {
  it('returns quantiles within 1 % for numbers of any magnitude', () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { minLength: 1, maxLength: 40 }), (numbers) => {
        // More than the numbers that are kept exactly.
        const many = Array.from({ length: 1_500 }, (_, index) => numbers[index % numbers.length]!)
        const distribution = distributionOf(many)
        for (const part of quantiles) {
          const exact = exactQuantile(many, part)
          // The smallest numbers have fewer digits than 1 % needs.
          const tolerance = Math.max(Math.abs(exact) / 100, Number.MIN_VALUE * 2)
          expect(Math.abs(distribution.quantile(part) - exact)).toBeLessThanOrEqual(tolerance)
        }
      }),
    )
  })

  it('returns exact quantiles of up to 256 numbers', () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { minLength: 1, maxLength: 100 }), (numbers) => {
        const distribution = distributionOf(numbers)
        for (const part of quantiles) expect(distribution.quantile(part)).toBe(exactQuantile(numbers, part))
      }),
    )
  })

  it('returns the exact count, minimum, maximum and mean', () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => index - 100)
    const { count, min, max, mean } = distributionOf(numbers)
    expect({ count, min, max, mean }).toEqual({ count: 5_000, min: -100, max: 4_899, mean: 2_399.5 })
  })

  it('returns no quantile if there are more buckets than its memory permits', () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => 1.5 ** (index % 700))
    expect(distributionOf(numbers, 100).quantile(0.5)).toBeNaN()
    expect(distributionOf(numbers, 100).max).toBe(1.5 ** 699)
    expect(distributionOf(numbers, 700).quantile(0.5)).not.toBeNaN()
  })
})
