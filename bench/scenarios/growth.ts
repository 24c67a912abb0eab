import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import type { SubjectName } from '../subjects/index.ts'
import type { Lines } from './lines.ts'
import type { Scenario } from './scenario.ts'

/** The maximum `bend`. More than 1, because caches and garbage collection also depend on size. */
const mostBend = 1.25

export interface Growth {
  readonly description: string
  /** The name of the size. */
  readonly sizeName: string
  /** The subjects, that of sluice first. Default: sluice and pino. */
  readonly subjects?: readonly SubjectName[]
  /** The sizes in ascending order. */
  readonly sizes: readonly number[]
  /** The sizes that only the first subject runs, because they take long. */
  readonly sluiceOnly?: readonly number[]
  /** The sizes for which linear growth is checked, and the size with which they are compared. */
  readonly checkedSizes: readonly number[]
  readonly middleSize: number
  /** Whether the cost is expected to be proportional to size, or constant. */
  readonly isProportional: boolean
  variantOf(size: number): Payload & Pick<Lines, 'records' | 'warmUp'> & Pick<BurstVariant, 'provenRecords'>
}

/** Creates a large value on first use, because each measured process loads all scenarios and runs one. */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

/** Creates a scenario of bursts of one kind to /dev/null, from small to large. */
export function growth({ description, sizeName, checkedSizes, sizes, ...growth }: Growth): Scenario {
  return {
    description,
    sizeName,
    method: 'burst',
    runs: 3,
    ...(growth.subjects !== undefined && { ours: growth.subjects[0]! }),
    figures: ['loop', 'drain', 'cpu', 'memory', 'bend'],
    compared: ['loop'],
    targets: [{ variants: checkedSizes.map(String), figures: ['bend'], limit: mostBend }],
    variants: Object.fromEntries(sizes.map((size) => [size, variant(size)])),
  }

  function variant(size: number): BurstVariant {
    const { variantOf, sluiceOnly = [], middleSize, isProportional, subjects = ['sluice', 'pino-sync'] } = growth
    return {
      ...variantOf(size),
      size,
      to: 'null',
      perTurn: Infinity,
      subjects: sluiceOnly.includes(size) ? subjects.slice(0, 1) : subjects,
      ...(checkedSizes.includes(size) && {
        linearity: { middle: String(middleSize), ...(isProportional && { smallest: String(sizes[0]) }) },
      }),
    }
  }
}
